"""Options of the Tarneeb family drawn at random by hypothesis."""

from hypothesis import strategies as st


@st.composite
def any_rules(draw):
    """Any options that are possible together, with a cap that keeps the match short."""
    unit = draw(st.sampled_from(["tricks", "card_points"]))
    whole, step = (13, draw(st.integers(1, 3))) if unit == "tricks" else (120, draw(st.integers(5, 12)))
    low = draw(st.integers(1, whole))
    top = low + step * draw(st.integers(0, min(20, (whole - low) // step)))
    auction, target = draw(st.sampled_from(["open", "final_pass", "single_lap"])), draw(st.integers(1, 200))
    price = st.none() | st.integers(1, max(target, 2 * whole))
    slam_unbid = draw(price)
    return {
        "auction": auction,
        "dealer_may_equal": auction == "single_lap" and draw(st.booleans()),
        "close_at_max": draw(st.booleans()),
        "bid_min": low,
        "bid_max": top,
        "bid_step": step,
        "nt_bids": draw(st.booleans()),
        "all_pass": draw(st.sampled_from(["next_dealer", "same_dealer", "force_dealer"])),
        "all_pass_cap": draw(st.none() | st.integers(1, 5)),
        "hand_cap": draw(st.integers(1, 6)),
        "cap_tie": draw(st.sampled_from(["draw", "last_hand_winner"])),
        "unit": unit,
        "made_score": draw(st.sampled_from(["actual", "bid"])),
        "defenders_on_made": draw(st.sampled_from(["none", "actual"])),
        "slam_unbid": slam_unbid,
        "slam_bid": draw(price),
        "slam_failed": draw(st.none() | st.integers(1, 200)),
        "slam_failed_defenders_x2": draw(st.booleans()),
        "kabsh_any_side": slam_unbid is not None and draw(st.booleans()),
        "target": target,
    }
