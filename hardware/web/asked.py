"""What a page asks the speaker for: the display's keys, the dealer's test of the sound."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, ConfigDict

from hardware.web.links import is_loopback
from hardware.web.words import word


class Answers(Protocol):
    """`hardware.talk.Talk` is the real one."""

    def press(self, action: str) -> bool:
        """Do what a key stands for; False where nothing can be heard."""
        ...

    def test(self) -> bool:
        """Say something, so that the sound can be tried; False where nothing can be heard."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """Who answers, and what the keys of a page do now, by their `KeyboardEvent.code`.

    `whole`: what all keys do, those too that are read from their devices; None = the page's are all.
    """

    answers: Answers
    keys: Callable[[], Mapping[str, str]]
    whole: Mapping[str, str] | None = None

    def printed(self) -> Mapping[str, str]:
        """What the keys do, for a person who reads it."""
        return self.keys() if self.whole is None else self.whole


class Press(BaseModel):
    """A key of the display was pressed. To take a mistake back needs the dealer's code, so it is not among these."""

    model_config = ConfigDict(extra="forbid", strict=True)
    action: Literal["repeat", "my-hand", "dealer", "next"]


def asked_router(asked: Asked | None, entered: list[Any]) -> APIRouter:
    """Return the routes: keys are taken from this machine's own pages alone, the test needs the dealer's session."""
    router = APIRouter()

    def local(request: Request) -> bool:
        return request.client is not None and is_loopback(request.client.host)

    @router.get("/keys.json")
    async def keys(request: Request) -> dict[str, str]:
        if asked is None or not local(request):
            return {}
        return {key: action for key, action in asked.keys().items() if action != "right"}

    @router.post("/key", status_code=204)
    async def key(press: Press, request: Request) -> None:
        if not local(request):
            raise HTTPException(403, word("error.local-only"))
        _heard(asked is not None and asked.answers.press(press.action))

    @router.post("/dealer/sound", status_code=204, dependencies=entered)
    async def sound() -> None:
        _heard(asked is not None and asked.answers.test())

    return router


def _heard(heard: bool) -> None:
    if not heard:
        raise HTTPException(409, word("error.silent"))
