"""The words of order sheets, folded: what a unit does, and what joins one thing to the next."""

from __future__ import annotations

HOLD = ("h", "hold", "holds", "holding", "stand", "stands", "stay", "stays")
SUPPORT = ("s", "sup", "supp", "support", "supports", "supporting")
BUILD = ("b", "build", "builds", "building", "bf", "be", "bse")
LEAD = ("l", "lead", "leads", "leading")
MOVE = ("to", "move", "moves", "moving", "go", "goes", "attack", "attacks", "march", "marches", "mv")
RETREAT = ("r", "ret", "retr", "retreat", "retreats", "retreating")
DISBAND = ("d", "dis", "disb", "disband", "disbands", "disbanded", "remove", "removed", "destroy")
MERGE = ("m", "merge", "merges", "join", "joins", "combine", "combines", "form", "forms")
DIVIDE = ("divide", "divides", "split", "splits", "detach", "detaches")
CONVOY = ("convoy", "convoys", "convoying", "transport", "transports")
OR = ("or", "else", "otherwise", "failing", "alternatively")
JOINING = (",", "and", "&", "+")
ENGINE = ("e", "se", "engine", "engines", "siege", "catapult")
FLEET = ("f", "fleet", "fleets")
