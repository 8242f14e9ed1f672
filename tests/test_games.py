"""Several variants in one run: one batch each, one network, one checkpoint that plays them all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import laffa
from laffa.cards import BID_NT, LEVELS
from laffa_train import checkpoint, monitor
from laffa_train.checkpoint import NetworkPlayer
from laffa_train.config import Config, ConfigError, load_config, to_toml
from laffa_train.evaluate import duplicate
from laffa_train.games import Games
from laffa_train.ppo import Trainer, train
from laffa_train.suits import real_action
from training_helpers import QUIET, TINY, metrics, parameters, played

MORE = ("tarneeb-400points", "tarneeb-notrump")
MIXED = replace(TINY, more_variants=MORE, games=50, decisions=10 * 50 * 40)


def test_games_are_shared_out_and_each_plays_its_own_rules():
    games = Games([laffa.load(name) for name in ("tarneeb-koutchina", *MORE)], 50, 3)
    assert [part.stop - part.start for part in games.parts] == [17, 17, 16]
    turn = laffa.Batch("tarneeb-koutchina", 50).reset()
    games.reset(turn)
    for batch, part in zip(games.batches, games.parts, strict=True):
        alone = laffa.Batch(batch.rules, batch.games, 3, first=part.start).reset()
        for name in ("seat", "obs", "mask"):
            np.testing.assert_array_equal(getattr(turn, name)[part], getattr(alone, name))
    assert turn.mask[:, BID_NT:].any(1).tolist() == [False] * 34 + [True] * 16


@pytest.mark.parametrize("variant", ["arbaa-turub", "arbaa-turub-signals", "turup"])
def test_games_of_equally_long_hands_begin_all_over_a_hand(variant):
    rules = laffa.load(variant)
    games, turn = Games([rules], 64, 3), laffa.Batch(rules, 64).reset()
    games.reset(turn)
    states = games.batches[0].states
    played = states["public"]["actions"].astype(int)
    length = {"arbaa-turub": 145, "arbaa-turub-signals": 181, "turup": 37}[variant]
    assert np.array_equal(np.sort(played), 1 + np.arange(64) * (length - 1) // 64)
    assert games.hands_finished == 0
    assert not turn.hand_done.any()
    assert np.array_equal(turn.seat, states["public"]["turn"])
    assert turn.mask.any(1).all()
    again = laffa.Batch(rules, 64).reset()
    games.reset(again)
    assert np.array_equal(turn.obs, again.obs)
    assert np.array_equal(turn.mask, again.mask)


def test_the_hands_of_equally_long_hands_end_all_the_time():
    games, turn = Games([laffa.load("turup")], 74, 3), laffa.Batch("turup", 74).reset()
    games.reset(turn)
    ended = []
    for _ in range(37):
        games.step(np.array([np.flatnonzero(row)[0] for row in turn.mask]), turn)
        ended.append(int(turn.hand_done.sum()))
    assert max(ended) <= 4
    assert sum(ended) == 74


def test_a_rollout_of_several_variants_is_what_each_alone_would_show():
    trainer = played(more_variants=MORE, games=50, steps=80)
    r = trainer.rollout
    for batch, part in zip(trainer.games.batches, trainer.games.parts, strict=True):
        twin = laffa.Batch(batch.rules, batch.games, TINY.seed, first=part.start)
        turn = twin.reset()
        for t in range(80):
            turn = twin.step(real_action(r.order[t, part], r.action[t, part]))
            for name in ("seat", "reward", "done", "winner"):
                np.testing.assert_array_equal(getattr(r, name)[t + 1, part], getattr(turn, name))


def test_a_point_weighs_as_much_in_every_variant():
    trainer = Trainer(MIXED)
    scales = [trainer.scale[part] for part in trainer.games.parts]
    assert [set(scale.tolist()) for scale in scales] == [{np.float32(0.1)}, {np.float32(0.1 * 13 / 120)}, {np.float32(0.1)}]
    assert set(Trainer(replace(MIXED, reward="outcome")).scale.tolist()) == {np.float32(0.1)}


def test_numbers_bid_are_counted_in_tricks_where_units_differ():
    level = np.full((50, 2), 6, np.int8)
    trainer = Trainer(MIXED)
    numbers = trainer.games.numbers(level)
    assert [numbers[part].ravel() for part in trainer.games.parts] == [pytest.approx(number) for number in (7, 65 * 13 / 120, 7)]
    assert set(Games([laffa.load("tarneeb-400points")], 50, 0).numbers(level).ravel()) == {65.0}


def test_one_checkpoint_plays_every_game_it_has_learnt_and_no_other(tmp_path: Path):
    train(MIXED, tmp_path / "run", console=QUIET)
    for variant in ("tarneeb-koutchina", *MORE):
        player = laffa.players.make(tmp_path / "run", variant)
        pair = duplicate(player, laffa.players.make("random", variant), variant, 4)
        assert pair.deals == 4
    assert player.policy.head.out_features == BID_NT + LEVELS
    with pytest.raises(checkpoint.CheckpointError, match=r"trained for tarneeb-koutchina-v0, .*-v0 and does not fit tarneeb-saudi-v0"):
        laffa.players.make(tmp_path / "run", "tarneeb-saudi")
    config = replace(MIXED, eval_deals=12)
    row = monitor.margins(NetworkPlayer(Trainer(config).policy), config)
    assert row["eval_heuristic_low"] < row["eval_heuristic"] < row["eval_heuristic_high"] < 0


@pytest.mark.trial("D29")
def test_a_run_of_several_variants_resumes_bit_for_bit(tmp_path: Path):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    train(MIXED, whole, console=QUIET)
    train(replace(MIXED, decisions=4 * 50 * 40), halves, console=QUIET)
    first = Trainer(MIXED)
    first.restore(halves)
    assert (first.iterations, first.games.hands_finished) == (4, metrics(halves)[-1]["hands"])
    # The schedules follow the budget, so that only a run with the same one is the same: compare what the games do next.
    second = Trainer(MIXED)
    second.restore(halves)
    for trainer in (first, second):
        trainer.iteration()
    assert torch.equal(first.policy.head.weight, second.policy.head.weight)
    assert (first.games.raw == second.games.raw).all()
    assert parameters(whole).keys() == parameters(halves).keys()


def test_settings_with_several_variants_are_read_back(tmp_path: Path):
    path = tmp_path / "config.toml"
    path.write_text(to_toml(MIXED))
    assert load_config(path) == MIXED
    assert load_config(None, {"minutes": "1", "more_variants": "tarneeb-saudi, tarneeb-pagat"}).more_variants == ("tarneeb-saudi", "tarneeb-pagat")


@pytest.mark.parametrize(
    ("more", "words"),
    [(("tarneeb-koutchina",), "may be there once"), (("tarneeb",), "there is no variant 'tarneeb'"), (3, "takes a list of ids"), (MORE, "a share")],
)
def test_what_cannot_be_learnt_together_is_one_sentence(more: object, words: str):
    with pytest.raises(ConfigError, match=words):
        Config(minutes=1, more_variants=more, games=2)  # type: ignore[arg-type]


def test_rules_of_ones_own_can_be_learnt(tmp_path: Path):
    (tmp_path / "mine.toml").write_text("[rules]\nauction = 'final_pass'\nbid_min = 6\n")
    config = replace(TINY, variant=str(tmp_path / "mine.toml"), decisions=2 * 64 * 40)
    train(config, tmp_path / "run", console=QUIET)
    assert laffa.players.make(tmp_path / "run", tmp_path / "mine.toml") is not None
    assert load_config(tmp_path / "run" / "config.toml") == config
