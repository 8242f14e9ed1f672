"""`heuristic`: placeholder until the real one lands."""

from laffa.players.autopilot import Autopilot


class Heuristic(Autopilot):
    """To be replaced."""
