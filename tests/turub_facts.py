"""What an observation of Arba'a Turub has to say, written down from a snapshot; the rest is as in any game."""

from laffa.cards import SUITS


def turub_facts(view, me):
    """The pieces that only this game fills or that it fills in its own way."""
    seats = [(me + k) % 4 for k in range(4)]
    said, heard, led = {}, [], None
    for seat, text in view["history"]:
        if text in ("silent", "knock", "snap"):
            said[seat, led] = text
            heard.append(text)
        elif not text.startswith("trump"):
            led = text[1]
    lying = view["trick"]["cards"]
    now = heard[-1] if lying and len(heard) == len(view["tricks"]) + 1 else None
    streak = view["streak"] or {"team": None, "mark": 0}
    return {
        "declarer": [int(seat == (view["dealer"] + 1) % 4) for seat in seats],
        "to_go": [0, 0],
        "to_go_coarse": [0, 0],
        "signal": [int(now == word) for word in ("knock", "snap")],
        "signals": [int(said.get((seat, suit)) == word) for seat in seats for word in ("knock", "snap") for suit in SUITS],
        "holder": [int(streak["team"] == side) for side in (me % 2, 1 - me % 2)],
        "mark": [streak["mark"]],
    }
