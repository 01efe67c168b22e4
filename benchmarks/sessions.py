"""Many readers at once, each a websocket that speaks the app's own protocol."""

import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.report import Report
from benchmarks.ui import rested
from tests.browser.serving import serving

EVERY = 5.0  # seconds between one reader's releases
ROUNDS = 6
CANVAS = "live_basins"


def class_of(report: Report, sessions: int) -> None:
    """Open so many sessions of the page; each releases a new beta every five seconds."""
    with serving() as (address, process):
        report.heading(f"{sessions} sessions, each with a release every {EVERY:g} s")
        asyncio.run(_first(address))  # what is imported once is nobody's own
        rested(process.pid)
        before = memory_of(process.pid)
        answers, faults = asyncio.run(_class(address, sessions, process.pid, report, before))
    report.figure("releases answered", len(answers))
    report.figure("releases that failed", faults, 0, at_least=False)
    report.figure("release to answer, median", float(np.median(answers)), unit="s")
    report.figure("release to answer, 95th percentile", float(np.percentile(answers, 95)), 1.0,
                  at_least=False, unit="s")  # fmt: skip


async def _first(address):
    reader = Reader(address, 0)
    await reader.open()
    await reader.close()


async def _class(address, sessions, pid, report, before):
    readers = [Reader(address, number) for number in range(sessions)]
    for reader in readers:
        await reader.open()
    report.figure("memory of a session", (memory_of(pid) - before) / sessions, unit="MB")
    answers = await asyncio.gather(*(reader.release_now_and_then() for reader in readers))
    for reader in readers:
        await reader.close()
    return [seconds for own, _ in answers for seconds in own], sum(faults for _, faults in answers)


def memory_of(pid: int) -> float:
    """Resident memory of a process in MB; 0 where the system does not tell."""
    status = Path(f"/proc/{pid}/statm")
    if not status.exists():
        return 0.0
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Reader:
    """One session of the page: it reads what comes and releases what a hand would."""

    def __init__(self, address: str, number: int) -> None:
        self.address = address.replace("http", "ws", 1) + "/_stcore/stream"
        self.random = random.Random(number)
        self.socket: Any = None
        self.canvas = self.fragment = self.page = ""
        self.letter: dict = {}

    async def open(self) -> None:
        """Connect, ask for the page and read it to its end."""
        self.socket = await websockets.connect(
            self.address, subprotocols=[websockets.Subprotocol("streamlit")], max_size=None
        )
        asked = BackMsg()
        asked.rerun_script.page_name = "basins"
        await self.socket.send(asked.SerializeToString())
        await self._to_the_end()

    async def close(self) -> None:
        """Leave."""
        await self.socket.close()

    async def release_now_and_then(self) -> tuple[list[float], int]:
        """Release a new beta at the pace of a class; seconds to each answer, and failures."""
        await asyncio.sleep(self.random.uniform(0, EVERY))
        answers, faults = [], 0
        for _ in range(ROUNDS):
            began = time.perf_counter()
            beta = round(10 ** self.random.uniform(-1, 2), 4)
            await self.socket.send(self._release(beta))
            await self._to_the_end()
            answers.append(time.perf_counter() - began)
            faults += self.letter["model"]["beta"] != beta
            await asyncio.sleep(max(0, EVERY - answers[-1]))
        return answers, faults

    def _release(self, beta: float) -> bytes:
        asked = BackMsg()
        asked.rerun_script.page_script_hash = self.page
        asked.rerun_script.fragment_id = self.fragment
        state = asked.rerun_script.widget_states.widgets.add()
        state.id = self.canvas
        released = {**self.letter["model"], "beta": beta, "revision": self.letter["revision"]}
        state.json_value = json.dumps({"release": released})
        return asked.SerializeToString()

    async def _to_the_end(self) -> None:
        """Read messages until the run is over, and keep what the next release needs."""
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self.socket.recv())
            kind = told.WhichOneof("type")
            if kind == "new_session":
                self.page = told.new_session.page_script_hash
            elif kind == "delta" and told.delta.new_element.HasField("bidi_component"):
                found = told.delta.new_element.bidi_component
                if found.component_name == CANVAS:
                    self.canvas, self.fragment = found.id, told.delta.fragment_id
                elif "model" in (letter := json.loads(found.json).get("letter", {})):
                    self.letter = letter
            elif kind == "script_finished":
                return
