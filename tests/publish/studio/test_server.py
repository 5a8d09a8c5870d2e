"""The local server: what it serves, what it refuses, and the folder it may use."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest

from equamo.errors import EquamoError, FileFormatError
from equamo.publish.studio import folder as folder_module
from equamo.publish.studio.folder import Folder
from equamo.publish.studio.kernel import Kernel
from equamo.publish.studio.serve import serve, start_data
from equamo.publish.studio.server import LARGEST, StudioServer
from equamo.publish.studio.site import POLICY, addresses
from studio_requests import PENDULUM


class InProcess:
    """A kernel of this process instead of subprocesses."""

    def __init__(self) -> None:
        self.cancelled: list[int] = []
        self.is_closed = False

    def ask(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        Kernel().answer(request, found.append)
        yield from found

    def cancel(self, number: int) -> bool:
        self.cancelled.append(number)
        return True

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def server(tmp_path: Path) -> Iterator[StudioServer]:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "arm.toml").write_text(PENDULUM)
    (tmp_path / "secret.toml").write_text("secret")
    found = StudioServer(Folder(inside), start={"name": "x"}, kernel=InProcess())
    Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    yield found
    found.shutdown()
    found.close()


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    headers: Message
    body: bytes


def get(
    server: StudioServer, path: str, method: str = "GET", body: str | None = None, **headers: str
) -> Answer:
    with closing(HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:
        named = {k.replace("_", "-"): x for k, x in headers.items()}
        connection.request(method, path, body, named)
        found = connection.getresponse()
        return Answer(found.status, found.headers, found.read())


def post(server: StudioServer, message: dict[str, Any], **headers: str) -> list[dict[str, Any]]:
    usual = {"Origin": f"http://127.0.0.1:{server.port}", "Content_Type": "application/json"}
    answer = get(
        server, f"/{server.token}/message", "POST", json.dumps(message), **(usual | headers)
    )
    assert answer.status == 200, answer.status
    return [json.loads(x) for x in answer.body.decode().splitlines()]


def test_its_own_files_are_served_with_a_strict_policy(server: StudioServer) -> None:
    answer = get(server, f"/{server.token}/studio.css")
    assert answer.status == 200
    assert answer.headers["Content-Security-Policy"] == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert b"--paper" in answer.body
    assert "unsafe" not in POLICY
    assert "http:" not in POLICY
    assert server.url.startswith("http://127.0.0.1:")
    assert len(server.token) >= 43  # 256 bits


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 403),
        ("/x/studio.css", {}, 403),
        ("/{token}", {}, 403),
        ("/{token}/studio.css", {"Host": "evil.example"}, 403),
        ("/{token}/studio.css", {"Host": "evil.example:{port}"}, 403),
        ("/{token}/studio.css", {"Origin": "http://evil.example"}, 403),
        ("/{token}/studio.css", {"Origin": "null"}, 403),
        ("/{token}/studio.css", {"Sec_Fetch_Site": "cross-site"}, 403),
        ("/{token}/../../__init__.py", {}, 404),
        ("/{token}/assets/%2e%2e/server.py", {}, 404),
        ("/{token}/../../../../etc/passwd", {}, 404),
        ("/{token}//etc/passwd", {}, 404),
        ("/{token}/message", {}, 404),
        ("/{token}/studio.css", {"Host": "localhost:{port}"}, 200),
        ("/favicon.ico", {}, 204),
    ],
)
def test_other_addresses_are_refused(
    server: StudioServer, path: str, headers: dict[str, str], status: int
) -> None:
    fill = {"token": server.token, "port": server.port}
    answer = get(server, path.format(**fill), **{k: x.format(**fill) for k, x in headers.items()})
    assert answer.status == status
    if status != 200:
        assert server.token.encode() not in answer.body


def test_the_address_that_a_browser_is_started_with_works_once(server: StudioServer) -> None:
    path = server.url_once.removeprefix(f"http://127.0.0.1:{server.port}")
    assert server.token not in path
    assert get(server, path, Host="evil.example").status == 403
    assert get(server, f"{path}x").status == 403
    found = get(server, path)
    assert (found.status, found.headers["Location"]) == (303, f"/{server.token}/")
    assert get(server, path).status == 403
    assert get(server, "/None").status == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Content_Type": "application/json"}, 403),
        ({"Content_Type": "application/json", "Origin": "http://evil.example"}, 403),
        ({"Content_Type": "application/json", "Origin": "http://127.0.0.1"}, 403),
        ({"Content_Type": "text/plain", "Origin": "{origin}"}, 415),
        ({"Content_Type": "application/json", "Origin": "{origin}",
          "Content_Length": str(LARGEST + 1)}, 413),
        ({"Content_Type": "application/json", "Origin": "{origin}", "Content_Length": "9" * 5000}, 413),
        ({"Content_Type": "application/json", "Origin": "{origin}", "Content_Length": "-1"}, 413),
    ],
)  # fmt: skip
def test_messages_from_elsewhere_are_refused(
    server: StudioServer, headers: dict[str, str], status: int
) -> None:
    origin = f"http://127.0.0.1:{server.port}"
    filled = {k: x.format(origin=origin) for k, x in headers.items()}
    answer = get(server, f"/{server.token}/message", "POST", '{"id":1,"kind":"files"}', **filled)
    assert answer.status == status
    wrong = get(server, "/x/message", "POST", "{}", Origin=origin, Content_Type="application/json")
    assert wrong.status == 403
    other = get(server, f"/{server.token}/other", "POST", "{}", Origin=origin)
    assert other.status == 404


def test_replies_are_streamed(server: StudioServer) -> None:
    found = post(server, {"id": 1, "kind": "prove", "model": PENDULUM})
    assert [x["kind"] for x in found[:-1]] == ["progress"] * (len(found) - 1)
    assert found[-1]["data"]["ok"]
    assert len(found) > 3
    assert post(server, {"id": 2, "kind": "start"})[0]["data"] == {"name": "x"}
    assert post(server, {"id": 3, "kind": "cancel", "request": 1})[0]["data"] == {"cancelled": True}
    assert "must be an integer" in post(server, {"kind": "start"})[0]["message"]
    assert "Unknown kind" in post(server, {"id": 4, "kind": "run"})[0]["message"]
    raw = get(server, f"/{server.token}/message", "POST", "{", Content_Type="application/json",
              Origin=f"http://127.0.0.1:{server.port}")  # fmt: skip
    assert "valid JSON" in json.loads(raw.body)["message"]


# -- the folder --------------------------------------------------------------------------------------
def test_files_of_the_folder(server: StudioServer) -> None:
    assert post(server, {"id": 1, "kind": "files"})[0]["data"]["files"] == ["arm.toml"]
    assert (
        post(server, {"id": 1, "kind": "open", "name": "arm.toml"})[0]["data"]["text"] == PENDULUM
    )
    assert post(server, {"id": 1, "kind": "save", "name": "new.toml", "text": "a = 1"})[0]["data"] == {
        "name": "new.toml", "saved": True}  # fmt: skip
    assert (server.folder.root / "new.toml").read_text() == "a = 1"
    assert "must be text" in post(server, {"id": 1, "kind": "save", "name": "b.toml"})[0]["message"]


@pytest.mark.posix
@pytest.mark.parametrize(
    "name",
    ["../secret.toml", "{root}/../secret.toml", "link.toml", "away/secret.toml", ".hidden.toml",
     "arm.py", "", "a\0.toml", None, 3, "sub/../../secret.toml"],
)  # fmt: skip
def test_no_path_leads_out_of_the_folder(server: StudioServer, name: Any) -> None:
    root = server.folder.root
    (root / "link.toml").symlink_to(root.parent / "secret.toml")
    (root / "away").symlink_to(root.parent)
    wanted = name.format(root=root) if isinstance(name, str) and "{" in name else name
    for kind in ("open", "save"):
        found = post(server, {"id": 1, "kind": kind, "name": wanted, "text": "damage"})[0]
        assert "must be a model file in the folder" in found["message"]
    assert (root.parent / "secret.toml").read_text() == "secret"


@pytest.mark.posix
def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "long.toml").write_text("a = 1")
    for name, message in (("none.toml", "No such file"), ("bytes.toml", "must be UTF-8")):
        with pytest.raises(FileFormatError, match=message):
            folder.read(name)
    with pytest.raises(FileFormatError, match="saved as a"):
        folder.write("a.urdf", "", None)
    os.mkfifo(tmp_path / "pipe.toml")  # would wait for ever
    for use in (folder.read, lambda name: folder.write(name, "", None, replace=True)):
        with pytest.raises(FileFormatError, match="regular file, got a named pipe"):
            use("pipe.toml")
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    with pytest.raises(FileFormatError, match="cannot be read"):
        folder.read("loop.toml")
    monkeypatch.setattr(folder_module, "LARGEST", 3)
    with pytest.raises(FileFormatError, match="at most 3 bytes, this one has more"):
        folder.read("long.toml")
    with pytest.raises(FileFormatError, match="at most 3 bytes to be saved"):
        folder.write("long.toml", "a = 2", "a = 1")


def test_a_file_that_the_page_does_not_know_is_not_replaced(server: StudioServer) -> None:
    path = server.folder.root / "arm.toml"
    save = {"id": 1, "kind": "save", "name": "arm.toml", "text": "a = 1"}
    for before in ({}, {"before": None}, {"before": "older"}):
        assert post(server, save | before)[0]["data"]["saved"] is False
    assert path.read_text() == PENDULUM
    assert post(server, save | {"before": PENDULUM})[0]["data"]["saved"] is True
    path.write_text("by another program")
    assert post(server, save | {"before": "a = 1"})[0]["data"]["saved"] is False
    assert post(server, save | {"before": "a = 1", "replace": True})[0]["data"]["saved"] is True
    assert path.read_text() == "a = 1"


def test_a_page_that_is_loaded_again_has_the_text_of_its_file(server: StudioServer) -> None:
    server.start = {"name": "arm", "file": "arm.toml", "text": "when the studio was started"}
    assert post(server, {"id": 1, "kind": "start"})[0]["data"]["text"] == PENDULUM
    (server.folder.root / "arm.toml").unlink()
    assert post(server, {"id": 1, "kind": "start"})[0]["data"] == server.start


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "gone")
    with pytest.raises(FileFormatError, match="gone' cannot be read: No such file"):
        folder.files()


# -- the command -------------------------------------------------------------------------------------
def test_the_page_tells_whether_it_is_open(server: StudioServer) -> None:
    assert server.deserted_for() == 0
    server.page_opened()
    server.page_closed()
    assert server.deserted_for() > 0
    server.page_opened()
    assert server.deserted_for() == 0


def test_a_port_that_is_in_use(server: StudioServer) -> None:
    with pytest.raises(EquamoError, match="cannot be used"):
        serve(port=server.port, open_browser=False)


def test_the_model_to_start_with(tmp_path: Path) -> None:
    path, hidden, folder = tmp_path / "a.toml", tmp_path / ".a.toml", Folder(tmp_path)
    for x in (path, hidden):
        x.write_text(PENDULUM)
    assert start_data(str(path), folder)["file"] == "a.toml"
    assert start_data(str(hidden), folder)["file"] is None  # could not be saved
    assert start_data(str(path), Folder(tmp_path / "b"))["file"] is None
    assert start_data(None, folder) == {}
    assert start_data("rp_arm", folder)["name"] == "rp_arm"


def test_three_files_have_an_address() -> None:
    assert set(addresses()) == {"", "studio.js", "studio.css"}
