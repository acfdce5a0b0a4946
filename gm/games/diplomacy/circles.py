"""Circles in a graph of decisions that read each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def innermost_circle(reads: Mapping[int, Sequence[int]]) -> list[int]:
    """The first strongly connected group of a graph that leads to no other group (Tarjan's low-link numbers)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []

    def visit(node: int) -> list[int] | None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in reads[node]:
            if other not in number:
                found = visit(other)
                if found is not None:
                    return found
            low[node] = min(low[node], low[other])
        return stack[stack.index(node) :] if low[node] == number[node] else None

    found = visit(next(iter(reads)))
    assert found is not None, "the first root closes at least its own group"
    return found
