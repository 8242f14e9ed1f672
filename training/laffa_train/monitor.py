"""How a run is watched: what its hands came to, and its margins against other players."""

import math

import numpy as np
import torch

from laffa import players
from laffa.players import Player
from laffa_train.config import Config
from laffa_train.evaluate import duplicate
from laffa_train.rollout import Rollout


def hand_stats(rollout: Rollout) -> dict[str, float]:
    """What the counted hands of a rollout that the policy bid came to: the usual failure, always passing or always bidding high, shows here.

    Bids and contracts are those of the games that have them.
    """
    ended = rollout.hand_done[1:] & ~rollout.made_up[:-1]
    result = rollout.result[1:][ended]
    if not len(result):
        return {}
    bids = rollout.games.numbers(rollout.result["level"][1:].T).T[ended]
    bids, made = bids[np.isfinite(bids)], result["made"][np.broadcast_to(rollout.games.contracts, ended.shape)[ended]]
    gains = result["scores"][:, 0] - result["scores"][:, 1]
    declarer = np.where(result["declarer"] % 2 == 0, gains, -gains)
    passed_out = np.count_nonzero(rollout.new_deal[1:] & ~rollout.hand_done[1:] & ~rollout.made_up[:-1])
    stats = {"return": float(declarer.mean()), "return_std": float(gains.std()), "passed_out": passed_out / (passed_out + len(result))}
    if len(bids):
        stats["average_bid"] = float(bids.mean())
    if len(made):
        stats["contracts_made"] = float((made == 1).mean())
    return stats


def margins(me: Player, config: Config) -> dict[str, float]:
    """Points of the learning curve: margin per hand over duplicate deals, with its 95 % interval, by opponent.

    Where there are several variants: the mean of their margins, with card points counted as tricks.
    """
    games, row = config.all_rules, {}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a few hundred rows at a time: several threads would spend their time waiting for each other
    deals = max(2, config.eval_deals // len(games))
    for name in config.eval_against:
        pairs = [duplicate(me, players.make(name, rules, config.seed), rules, deals, config.seed) for rules in games]
        scale = [13 / rules.whole if len(pairs) > 1 else 1 for rules in games]
        mean = sum(s * pair.mean for s, pair in zip(scale, pairs, strict=True)) / len(pairs)
        half = math.hypot(*(s * (pair.high - pair.mean) for s, pair in zip(scale, pairs, strict=True))) / len(pairs)
        row |= {f"eval_{name}": mean, f"eval_{name}_low": mean - half, f"eval_{name}_high": mean + half}
    torch.set_num_threads(threads)
    return row
