"""Settings: what is said, what is refused and how it is said."""

import tomllib
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import laffa
from laffa_train.config import KINDS, Config, ConfigError, defaults, docs, from_dict, load_config, to_dict, to_toml

CONFIGS = sorted((Path(__file__).parents[1] / "configs").glob("*.toml"))


def write(folder: Path, text: str) -> Path:
    path = folder / "run.toml"
    path.write_text(text)
    return path


def test_a_file_says_only_what_differs(tmp_path: Path):
    config = load_config(write(tmp_path, "minutes = 2\nlr = 1e-4\n[rules]\ntarget = 41\n"))
    assert (config.minutes, config.lr, config.rules) == (2, 1e-4, {"target": 41})
    assert config.games == defaults()["games"]


def test_overrides_are_texts_and_win_over_the_file(tmp_path: Path):
    path = write(tmp_path, "minutes = 2\nlr = 1e-4\n")
    overrides = {"lr": "0.5", "decisions": "1_000", "minutes": "none", "critic": "own", "eval_against": "random, autopilot", "rules.hand_cap": "none"}
    config = load_config(path, overrides)
    assert (config.lr, config.decisions, config.minutes, config.critic) == (0.5, 1000, None, "own")
    assert config.eval_against == ("random", "autopilot")
    assert config.rules == {"hand_cap": None}


def test_settings_survive_toml_and_plain_data(tmp_path: Path):
    config = Config(decisions=5, eval_minutes=None, rules={"hand_cap": None, "target": 41}, eval_against=())
    assert load_config(write(tmp_path, to_toml(config))) == config
    assert from_dict(to_dict(config)) == config


def test_the_toml_has_every_setting_under_its_sentence():
    text = to_toml(Config(decisions=5))
    assert tomllib.loads(text).keys() == docs().keys()
    assert all(f"# {sentence}\n" in text for sentence in docs().values())


def test_every_setting_has_one_sentence():
    assert docs().keys() == KINDS.keys() == defaults().keys()
    assert all(sentence.endswith(".") and len(sentence) > 15 for sentence in docs().values())


def test_settings_cannot_change():
    config = Config(decisions=5)
    with pytest.raises(FrozenInstanceError):
        config.lr = 1.0  # type: ignore[misc]
    assert replace(config, lr=1.0).lr == 1.0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("minuts = 2", r"no setting 'minuts' \(did you mean 'minutes'\?\); there are variant, more_variants, rules"),
        ("minutes = true", "minutes = True is not possible; it takes a number"),
        ("minutes = 1\ngames = 2.5", "games = 2.5 is not possible; it takes a whole number from 1"),
        ("minutes = 1\ngames = 0", "games = 0 is not possible"),
        ("minutes = 1\nlr = nan", "lr = nan is not possible"),
        ("minutes = -1", "minutes = -1 is not possible"),
        ("minutes = 1\ncritic = 'both'", "critic = 'both' is not possible; it takes 'own' or 'central'"),
        ("minutes = 1\nvariant = 'bridge'", "no variant 'bridge'"),
        ("minutes = 1\nvariant = 7", "variant = 7 is not possible"),
        ("minutes = 1\n[rules]\ntaget = 3", r"no option 'taget' \(did you mean 'target'\?\)"),
        ("minutes = 1\n[rules]\ntarget = 'x'", "target = 'x' is not possible"),
        ("minutes = 1\neval_against = ['nobody']", "eval_against = .* is not possible; it takes a list of 'random'"),
        ("lr = 0.1", "needs an end: set minutes, decisions or both"),
        ("lr = ", "is not TOML"),
        ("x = !!python/object/apply:os.system ['true']", "is not TOML"),
    ],
)
def test_what_cannot_be_is_one_sentence(tmp_path: Path, text: str, sentence: str):
    with pytest.raises(ConfigError, match=sentence) as caught:
        load_config(write(tmp_path, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "overrides", [{"lr": "fast"}, {"games": "1.5"}, {"rules": "x"}, {"rules.nothing": "1"}, {"nothing": "1"}, {"rules.close_at_max": "7"}]
)
def test_overrides_that_cannot_be_are_refused(overrides: dict[str, str]):
    with pytest.raises(ConfigError):
        load_config(None, {"decisions": "5"} | overrides)


def test_a_missing_or_binary_file_is_refused(tmp_path: Path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path / "none.toml")
    (tmp_path / "run.toml").write_bytes(b"\x80\x04\x95")
    with pytest.raises(ConfigError, match="is not TOML"):
        load_config(tmp_path / "run.toml")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_shipped_configurations_load_and_say_only_what_differs(path: Path):
    config = load_config(path)
    given = tomllib.loads(path.read_text())
    name, ids = path.stem.rpartition("_")[0], [rules.variant for rules in config.all_rules]
    assert sorted(ids) == ([v for v in laffa.variants() if v.startswith("tarneeb")] if name == "tarneeb-family" else [name])
    assert all(defaults()[name] != value for name, value in given.items())


@pytest.mark.parametrize("variant", laffa.variants())
def test_every_variant_has_a_configuration_for_make_train(variant: str):
    root = Path(__file__).parents[1]
    assert "configs/$(VARIANT)_quick.toml" in (root / "Makefile").read_text()
    assert load_config(root / "configs" / f"{variant}_quick.toml").variant == variant
