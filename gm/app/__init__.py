"""The running program: the parts wired together in one process."""
