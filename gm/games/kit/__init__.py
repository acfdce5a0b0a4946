"""Drawing kit that the maps of all rulesets share: pure functions from values to SVG text."""
