"""Options of each family drawn at random by hypothesis."""

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


@st.composite
def any_tarabish(draw):
    """Any options of Tarabish that are possible together."""
    step = draw(st.sampled_from([5, 10, 10, 10, 17]))
    low = draw(st.sampled_from([50, 60, 100, 20]))
    cards, flag = draw(st.sampled_from([3, 6, 9])), st.booleans()
    names = ("close_at_max", "second_round", "no_trump", "longer_first", "overlap", "auto_declare", "auto_bella", "deferred")
    names += ("must_rise_on_trump_lead", "need_trick", "bella_survives_bate", "coat", "all_nine_tricks")
    words = {
        "bid_form": ["number", "number+suit"], "auction": ["open", "final_pass", "single_lap"],
        "all_pass": ["next_dealer", "same_dealer", "force_dealer"], "nt_scoring": ["double_before", "ace19"], "run_order": ["natural", "plain"],
        "meld_set": ["full", "runs_only"], "equal_runs": ["order", "cancel"], "partner_exempt": ["none", "overtrump", "all"],
        "judge": ["bid", "bid", "outscore"], "equal": ["half_bait", "bait"], "both_over": ["bidder", "higher"],
    }  # fmt: skip
    return {
        **{name: draw(flag) for name in names},
        **{name: draw(st.sampled_from(choices)) for name, choices in words.items()},
        "bid_min": low,
        "bid_max": low + step * draw(st.integers(0, min(20, (250 - low) // step))),
        "bid_step": step,
        "cards_at_bid": cards,
        "upcard": cards < 9 and draw(flag),
        "reveal_packet": cards == 3 and draw(flag),
        "all_pass_cap": draw(st.none() | st.integers(1, 5)),
        "nt_min_bid": draw(st.sampled_from([60, 100, 150, 155])),
        "last_trick": draw(st.sampled_from([10, 4])),
        "target": draw(st.integers(1, 1000)),
        "best_of": draw(st.sampled_from([1, 3])),
    }


@st.composite
def any_turub(draw):
    """Any options of Arba'a Turub that are possible together; without a cap only where games are short."""
    packs, slam, caps = draw(st.sampled_from([1, 1, 1, 4])), draw(st.booleans()), st.integers(1, 12)
    return {
        "packs": packs,
        "signals": draw(st.sampled_from(["off", "on", "truthful"])),
        "slam_wins_match": slam,
        "short_win_rotates": draw(st.booleans()),
        "game_cap": draw(st.none() | caps if slam and packs == 1 else caps),
        "cap_result": draw(st.sampled_from(["draw", "holder"])),
    }
