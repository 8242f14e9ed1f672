"""Compiled code: where it is kept, when it is made anew, and that it survives read-only installs, forks and races."""

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import laffa

PACKAGE = Path(laffa.__file__).parent
ANNOUNCEMENT = "laffa: compiling the game engine for this machine"
NOBODY = 65534

posix = pytest.mark.skipif(os.name != "posix", reason="needs users and fork")

PLAY = """
import hashlib, json, sys
import laffa, laffa.jit
shown = {"file": laffa.__file__, "cache": str(laffa.jit.CACHE_DIR)}
if "aec" in sys.argv:
    env = laffa.env("tarneeb-koutchina", episode="hand")
    env.reset(seed=7)
    for agent in env.agent_iter():
        view, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(view["action_mask"].nonzero()[0][-1]))
    shown["aec"] = hashlib.sha256(env._states.tobytes()).hexdigest()
if "batch" in sys.argv:
    batch = laffa.Batch("tarneeb-koutchina", 8, seed=7)
    turn = batch.reset()
    for _ in range(100):
        turn = batch.step(188 - turn.mask[:, ::-1].argmax(1))
    shown["batch"] = hashlib.sha256(batch.states.tobytes() + turn.obs.tobytes()).hexdigest()
kernels = (laffa.engine.step, laffa.engine._begin_play, laffa.melds.find, laffa.observe.write)
shown["kinds"] = {kernel.__name__: [str(signature) for signature in kernel.signatures] for kernel in kernels}
print(json.dumps(shown))
"""

DEAL = """
import json
import laffa, laffa.jit
env = laffa.env("tarneeb-koutchina")
env.reset(seed=7)
print(json.dumps({"file": laffa.__file__, "cache": str(laffa.jit.CACHE_DIR), "hands": env.snapshot()["hands"]}))
"""


WARM = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
"""The environment of a child that finds the code compiled for this process."""


OTHER_PATHS = [path for path in sys.path if not (Path(path) / "laffa").is_dir()]
"""Where everything but the package itself is."""


def without_cache(**changes):
    """The environment of a child that finds no cache folder unless `changes` gives one."""
    return {name: value for name, value in WARM.items() if name not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "TMPDIR", "TEMP", "TMP")} | changes


def start(code, *words, **keywords):
    return subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **keywords)


def finish(process, timeout=250):
    """(parsed output, text on standard error) of a child that must succeed."""
    try:
        out, err = process.communicate(timeout=timeout)
    finally:
        process.kill()
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1]), err


def run(code, *words, **keywords):
    return finish(start(code, *words, **keywords))


def copy_package(folder):
    shutil.copytree(PACKAGE, folder / "laffa", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "laffa"


def unprivileged():
    """Keywords for a child to whom permissions apply: for root another user, or root without its powers where that user cannot reach Python."""
    if os.geteuid() != 0:
        return {}
    child = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    try:
        subprocess.run(
            [sys.executable, "-c", "import numba, gymnasium, pettingzoo"], cwd="/", env=without_cache(), capture_output=True, check=True, **child
        )
    except (OSError, subprocess.CalledProcessError):
        return {"preexec_fn": _drop_capabilities}
    return child


def _drop_capabilities():
    """Empty the bounding set, so that the program started next has no power over permissions."""
    libc, drop_from_bounding_set = ctypes.CDLL(None), 24
    for capability in range(64):
        libc.prctl(drop_from_bounding_set, capability, 0, 0, 0)


@pytest.fixture
def shared():
    """A folder that an unprivileged user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "tmp").mkdir()
        (folder / "tmp").chmod(0o1777)
        (folder / "sealed").mkdir(0o555)
        yield folder
        for path in folder.rglob("*"):
            path.chmod(0o755)


@pytest.fixture
def read_only(shared):
    """A copy of the package that nobody may write to."""
    package = copy_package(shared / "site")
    for path in sorted(package.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    package.chmod(0o555)
    (shared / "site").chmod(0o555)
    return package


@pytest.mark.trial("D18")
@pytest.mark.env
@posix
def test_a_read_only_install_without_a_home_plays_for_an_unprivileged_user_in_two_processes_at_once(read_only, shared):
    """Each kernel is compiled for one kind of arguments; and once the code is there, nothing is compiled or said any more."""
    keywords = {
        "env": without_cache(HOME=str(shared / "sealed" / "home"), TMPDIR=str(shared / "tmp"), PYTHONPATH=str(read_only.parent)),
        "cwd": "/",
        **unprivileged(),
    }
    before = sorted(read_only.rglob("*"))
    results = [finish(process) for process in [start(PLAY, kind, **keywords) for kind in ("aec", "batch")]]
    results.append(run(PLAY, "aec", "batch", **keywords))
    for (shown, err), times in zip(results, (1, 1, 0), strict=True):
        assert Path(shown["file"]).parent == read_only
        assert Path(shown["cache"]).is_relative_to(shared / "tmp")
        assert err.count(ANNOUNCEMENT) == times
        assert len(err.splitlines()) == times
    assert [results[2][0][kind] for kind in ("aec", "batch")] == [results[0][0]["aec"], results[1][0]["batch"]]
    for name, kinds in results[0][0]["kinds"].items():
        assert len({*kinds, *results[1][0]["kinds"][name]}) == 1, name
    assert sorted(read_only.rglob("*")) == before
    assert not any((shared / "sealed").iterdir())


IMPORT = """
import json, tempfile, warnings
{prepare}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import laffa, laffa.jit, laffa.rng
print(json.dumps({{"warnings": [str(w.message) for w in caught], "cache": str(laffa.jit.CACHE_DIR), "key": int(laffa.rng.game_key(7, 1))}}))
"""


@pytest.mark.trial("D18")
@pytest.mark.env
@posix
@pytest.mark.parametrize(
    "prepare",
    [
        "tempfile.tempdir = '{sealed}'",
        "def none(): raise FileNotFoundError('no usable temporary directory')\ntempfile.gettempdir = none",
    ],
    ids=["unwritable", "no temporary folder"],
)
def test_where_no_folder_can_be_written_one_warning_names_the_remedy_and_the_code_still_runs(read_only, shared, prepare):
    from laffa.rng import game_key

    keywords = {"env": without_cache(HOME=str(shared / "sealed" / "home"), PYTHONPATH=str(read_only.parent)), "cwd": "/", **unprivileged()}
    shown, _ = run(IMPORT.format(prepare=prepare.format(sealed=shared / "sealed")), **keywords)
    assert shown["cache"] == "None"
    assert len(shown["warnings"]) == 1
    assert "NUMBA_CACHE_DIR" in shown["warnings"][0]
    assert shown["key"] == int(game_key(7, 1))


ARCHIVE = """
import json, sys, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import laffa, laffa.rng
shown = {"file": laffa.__file__, "variants": laffa.variants(), "warnings": [str(w.message) for w in caught if "laffa" in str(w.message)]}
if "key" in sys.argv:
    shown["key"] = int(laffa.rng.game_key(7, 1))
else:
    env = laffa.env("tarneeb-koutchina", episode="hand")
    env.reset(seed=7)
    while env.agents and not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].nonzero()[0][-1]))
    shown["hand"] = env.snapshot()
print(json.dumps(shown))
"""


@pytest.mark.trial("D18")
@pytest.mark.env
@pytest.mark.parametrize("name", ["laffa.zip", "laffa.whl"])
def test_from_an_archive_everything_is_there_but_nothing_compiled_is_kept(name, tmp_path):
    """Numba would keep code of a .zip, and go on with the old code of callers that have not changed."""
    from laffa.rng import game_key

    copy_package(tmp_path / "tree")
    archive = Path(shutil.make_archive(str(tmp_path / "laffa"), "zip", tmp_path / "tree")).rename(tmp_path / name)
    shutil.rmtree(tmp_path / "tree")
    environment = without_cache(HOME=str(tmp_path), PYTHONPATH=os.pathsep.join([str(archive), *OTHER_PATHS]))
    compiled, _ = run(ARCHIVE, "key", env=environment, cwd=tmp_path)
    played, _ = run(ARCHIVE, env=environment | {"NUMBA_DISABLE_JIT": "1"}, cwd=tmp_path)
    for shown in (compiled, played):
        assert Path(shown["file"]).is_relative_to(archive)
        assert shown["variants"] == laffa.variants()
        assert shown["warnings"] == ["laffa: imported from an archive, so each start compiles anew; unpack it to keep the compiled code."]
    assert compiled["key"] == int(game_key(7, 1))
    assert not list(tmp_path.rglob("*.nbi"))
    env = laffa.env("tarneeb-koutchina", episode="hand")
    env.reset(seed=7)
    while not any(env.terminations.values()):
        env.step(int(env.last()[0]["action_mask"].nonzero()[0][-1]))
    assert played["hand"] == env.snapshot()


@pytest.mark.trial("D19")
@pytest.mark.env
def test_a_constant_changed_in_a_helper_module_is_used_by_its_callers_and_numba_cache_dir_is_honoured(tmp_path):
    """Numba alone would go on with the old machine code of the callers, which have not changed."""
    package, cache = copy_package(tmp_path / "site"), tmp_path / "cache"
    keywords = {"env": without_cache(NUMBA_CACHE_DIR=str(cache), PYTHONPATH=str(package.parent), PYTHONDONTWRITEBYTECODE="1"), "cwd": tmp_path}
    original = (package / "rng.py").read_text(encoding="utf-8")
    changed = original.replace("0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB")
    assert changed != original
    results = []
    for text in (original, changed, original):
        (package / "rng.py").write_text(text, encoding="utf-8")
        results.append(run(DEAL, **keywords))
    (first, err), (second, second_err), (third, third_err) = results
    assert first["hands"] != second["hands"]
    assert first["hands"] == third["hands"]
    assert first["cache"] == third["cache"] != second["cache"]
    assert all(Path(shown["cache"]).parent == cache for shown, _ in results)
    assert any(Path(first["cache"]).rglob("*.nbi"))
    assert (err.count(ANNOUNCEMENT), second_err.count(ANNOUNCEMENT), third_err) == (1, 1, "")


FORK = """
import json, multiprocessing, os
import laffa
def play(seed, threads):
    batch = laffa.Batch("tarneeb-koutchina", 8, seed=seed, threads=threads)
    return steps(batch, batch.reset())
def steps(batch, turn):
    for _ in range(100):
        turn = batch.step(188 - turn.mask[:, ::-1].argmax(1))
    return turn.obs.tobytes().hex()
{body}
"""
FORKED_NEW = """
expected = [play(seed, {threads}) for seed in range(2)]
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(json.dumps(pool.starmap(play, [(seed, {threads}) for seed in range(2)]) == expected))
"""
FORKED_OLD = """
batch = laffa.Batch("tarneeb-koutchina", 8, seed=1, threads={threads})
turn = batch.step(188 - batch.reset().mask[:, ::-1].argmax(1))
if (child := os.fork()) == 0:
    steps(batch, turn)
    os._exit(7)
print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7))
"""


@pytest.mark.trial("D20")
@pytest.mark.env
@posix
@pytest.mark.parametrize(
    ("body", "threads"),
    [(FORKED_NEW, 1), (FORKED_NEW, 2), (FORKED_OLD, 1), (FORKED_OLD, 2)],
    ids=["new batch", "new batch with threads", "inherited batch", "inherited batch with threads"],
)
def test_a_forked_child_of_a_process_that_has_stepped_can_step_too(body, threads, tmp_path):
    process = start(FORK.format(body=body.format(threads=threads)), env=WARM | {"PYTHONWARNINGS": "ignore"}, start_new_session=True)
    try:
        shown, _ = finish(process, timeout=60 if threads == 1 else 12)
    finally:
        _end_group(process.pid)
    assert shown is True


def _end_group(pid):
    """End what a hung child has left behind."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, 9)


LOADER = """
import json
import torch
import laffa

class Games(torch.utils.data.IterableDataset):
    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        batch = laffa.Batch("tarneeb-koutchina", 4, seed=info.id)
        turn = batch.reset()
        for _ in range(100):
            turn = batch.step(188 - turn.mask[:, ::-1].argmax(1))
            yield turn.obs

batch = laffa.Batch("tarneeb-koutchina", 4)
batch.step(188 - batch.reset().mask[:, ::-1].argmax(1))
print(json.dumps(sum(1 for _ in torch.utils.data.DataLoader(Games(), batch_size=None, num_workers=2, multiprocessing_context='fork'))))
"""


@pytest.mark.trial("D20")
@posix
def test_workers_of_a_torch_data_loader_can_step_after_their_parent_has():
    pytest.importorskip("torch")
    shown, _ = run(LOADER, env=WARM)
    assert shown == 200


HAND = """
import hashlib, json, sys, laffa
env, seen = laffa.env(sys.argv[1], episode="hand", **json.loads(sys.argv[2])), hashlib.sha256()
player = laffa.players.make("heuristic", env.rules)
env.reset(seed=7)
while not env.terminations["player_0"]:
    seen.update(env.observe(env.agent_selection)["observation"].tobytes())
    env.step(player.act(env.turn())[0])
print(json.dumps([env.snapshot(), seen.hexdigest()]))
"""


@pytest.mark.env
@pytest.mark.parametrize("words", [["tarneeb-koutchina", "{}"], ["turup", '{"signals": "truthful"}'], ["arbaa-turub", "{}"]], ids=" ".join)
def test_the_engine_also_runs_uncompiled(words, monkeypatch, capsys):
    """A whole hand of rule-based players, and what they saw."""
    shown, _ = run(HAND, *words, env=WARM | {"NUMBA_DISABLE_JIT": "1"})
    monkeypatch.setattr(sys, "argv", ["-c", *words])
    exec(HAND, {})
    assert shown == json.loads(capsys.readouterr().out)
