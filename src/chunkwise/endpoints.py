"""Services that speak OpenAI's protocol: JSON over HTTP with patience, and a key that stays where it is.

Back-off, `Retry-After`, a rate limit, and no redirects. The key comes from an environment variable and goes
into the `Authorization` header; it is in no setting, message, report or cache.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from threading import Lock
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from chunkwise.errors import ModelError, SettingError

KEY = "OPENAI_API_KEY"
"""The environment variable that holds the key, unless another one is named."""
TRIES = 6
FIRST_WAIT = 0.5
"""Seconds before the second try; doubled for each further one."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask to be waited for; it is given up on where it asks for more."""
TIMEOUT = 120.0
"""Seconds without a byte."""
PASSING = (408, 409, 425, 429, 500, 502, 503, 504, 529)
"""Answers that may be another at the next try."""


TOO_MUCH = (400, 413, 422)
"""Answers to a request that may be more than the model takes."""
_SECRET = re.compile(r"key|token|secret|password|sig", re.IGNORECASE)
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Refused(Exception):  # noqa: N818 - it is no error yet: the caller decides
    """An answer that is no success. `status` is 0 where there was none."""

    def __init__(self, status: int, message: str, tries: int) -> None:
        self.status, self.message, self.tries = status, message, tries
        super().__init__(f"{status} {message}")


class _Stay(HTTPRedirectHandler):
    """A redirect would send the key elsewhere."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        del args, kwargs


class Caller:
    """Posts to one address. Threads may share it, and then share its patience and its rate."""

    def __init__(
        self,
        url: str,
        *,
        rate: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = url
        self._gap = 60.0 / rate if rate else 0.0
        self._sleep, self._clock = sleep, clock
        self._lock = Lock()
        self._free = 0.0
        self._opener = build_opener(_Stay())

    def __call__(self, body: dict[str, Any], key: str) -> Any:
        """The answer's JSON. Raises `Refused` when the answer will not change, or has not after all tries."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": "chunkwise",
        }
        if key:
            headers["Authorization"] = f"Bearer {key}"
        data = json.dumps(body).encode("ascii")
        for tried in range(1, TRIES + 1):
            self._wait_for_turn()
            asked: float | None = None
            try:
                request = Request(self._url, data, headers, method="POST")
                with self._opener.open(request, timeout=TIMEOUT) as answer:
                    content = answer.read()
                return _json(content, answer.status, tried)
            except HTTPError as error:
                with error:
                    status, message = error.code, _message(error, key)
                    asked = _retry_after(error.headers.get("Retry-After"))
                if status not in PASSING or "insufficient_quota" in message:
                    raise Refused(status, message, tried) from None
            except (URLError, HTTPException, OSError) as error:
                # No connection, one that broke, a time-out, or half an answer.
                status, message = 0, _hide(str(getattr(error, "reason", error)), key)
            if tried == TRIES:
                raise Refused(status, message, tried)
            if asked is not None and asked > LONGEST_WAIT:
                raise Refused(status, f"asks to wait for {asked:.0f} seconds; {message}".rstrip("; "), tried)
            wait = FIRST_WAIT * 2 ** (tried - 1)
            # Not all at once again; where the server named a time, not before it.
            self._sleep(wait * random.uniform(0.5, 1.0) if asked is None else asked + random.uniform(0, 0.1))
        raise AssertionError("unreachable")

    def _wait_for_turn(self) -> None:
        if not self._gap:
            return
        with self._lock:
            now = self._clock()
            turn = max(now, self._free)
            self._free = turn + self._gap
        if turn > now:
            self._sleep(turn - now)


def _json(content: bytes, status: int, tried: int) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        raise Refused(status, "what it sends is no JSON", tried) from None


def _retry_after(value: str | None) -> float | None:
    """Seconds that a `Retry-After` header asks for: a number, or a date (RFC 9110, section 10.2.3)."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _message(error: HTTPError, key: str) -> str:
    """What the server says, in one line and without the key."""
    try:
        text = error.read(4000).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""
    try:
        found = json.loads(text)
        inner = found.get("error", found) if isinstance(found, dict) else {}
        if isinstance(inner, dict):
            text = " ".join(str(inner[name]) for name in ("code", "message") if inner.get(name))
        else:
            text = str(inner)
    except ValueError:
        pass
    return _hide(" ".join(text.split())[:300], key)


def _hide(text: str, key: str) -> str:
    return text.replace(key, "…") if key else text


class Address:
    """Where a service answers, and the variable that holds its key."""

    def __init__(self, url: str, variable: str | None = None) -> None:
        """Check both. Nothing is sent.

        Raises:
            SettingError: no address, no name of a variable, or a secret written where it would be shown.
        """
        self.url = url.rstrip("/")
        self.variable = variable or KEY
        _check_url(self.url)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.variable) or self.variable.startswith("sk_"):
            raise SettingError(
                "key names the environment variable that holds the key, such as key=OPENAI_API_KEY; "
                "never write the key itself"
            )

    @property
    def key(self) -> str:
        """The key, empty where the variable is not set."""
        return os.environ.get(self.variable, "").strip()

    def need_key(self, model: str, remedy: str) -> None:
        """Raise `ModelError`, with the remedy, where the host is not this machine and there is no key."""
        if not self.key and urlsplit(self.url).hostname not in _LOCAL:
            raise ModelError(
                model,
                f"{self.url} needs a key; put it into the environment variable {self.variable} ({remedy})",
            )

    def why(self, refused: Refused, path: str, model: str, kept: str) -> str:
        """What an answer that is no success means, with the remedy.

        Args:
            refused: the answer.
            path: what was asked for below the address, such as `/embeddings`.
            model: name of the model.
            kept: what is said of the work done so far.
        """
        status, said = refused.status, f" ({refused.message})" if refused.message else ""
        if status in (401, 403):
            fault = "is not taken" if self.key else "is not set"
            return f"{self.url} answers {status}: the key in the variable {self.variable} {fault}{said}"
        if status == 404:
            return (
                f"{self.url} answers 404: it has no {path}, or no model {model!r}; check url and name{said}"
            )
        if 300 <= status < 400:
            return f"{self.url} answers {status}: it has moved; give its present address with url="
        tried = f" after {refused.tries} tries" if refused.tries > 1 else ""
        what = f"answers {status}" if status else "cannot be reached"
        return f"{self.url} {what}{tried}{said}; {kept}"


def _check_url(url: str) -> None:
    """Refuse what is no address, and secrets in it: it is printed in reports."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise SettingError(f"url is no address: {error}") from None
    if parts.username or parts.password or any(_SECRET.search(name) for name, _ in parse_qsl(parts.query)):
        raise SettingError("url holds a secret, which would be shown in reports; name its variable with key=")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise SettingError(f"url must be like http://127.0.0.1:1234/v1, got {url!r}")
