"""Proofs of verdicts, which the form of a page sends to its server."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any, Dict, Iterable, Optional, TypedDict, Union

from ._errors import RcptError

_MAX_LENGTH = 4_096
_TOLERANCE = 60
"""The clocks of this machine and of the service may differ by these seconds."""
_MIN_REFRESH = 60.0
_MAX_AGE = 3_600.0
"""A key that the service no longer publishes is not accepted for ever."""
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
"""As the service lowers letters: those of ASCII only."""
_TIMES_ARE_CHECKED_LAST = {"verify_exp": False, "verify_iat": False, "verify_aud": False}

KeyIds = Union[str, Iterable[str]]


class ProofCheck(TypedDict):
    """What a proof says, checked without a request."""

    valid: bool
    why: Optional[str]
    status: Optional[str]
    reason: Optional[str]
    decision: Optional[str]
    verified_at: Optional[str]
    expires_at: Optional[str]
    jti: Optional[str]


class ProofKeys:
    """The public keys of a service, which are read seldom."""

    def __init__(self) -> None:
        self._keys: Dict[str, Any] = {}
        self._read_at = float("-inf")
        self._tried_at = float("-inf")

    def is_due(self, proof: str) -> bool:
        """Whether to read the keys: at most once a minute, since anyone may send ids of keys that do not exist."""
        now = time.monotonic()
        is_known = _header_of(proof).get("kid") in self._keys
        if (is_known and now - self._read_at < _MAX_AGE) or now - self._tried_at < _MIN_REFRESH:
            return False
        self._tried_at = now
        return True

    def save(self, document: Any) -> None:
        jwt = _library()
        keys = document.get("keys") if isinstance(document, dict) else None
        found = {}
        for key in keys if isinstance(keys, list) else []:
            if key.get("kty") == "OKP" and key.get("crv") == "Ed25519":
                found[key["kid"]] = jwt.PyJWK(key, algorithm="EdDSA").key
        self._keys = found
        self._read_at = self._tried_at

    def failed(self, error: RcptError) -> None:
        """Go on with the keys that are there; without any, raise the error and let the next call try again."""
        if not self._keys:
            self._tried_at = float("-inf")
            raise error

    def check(self, proof: str, email: str, key_ids: KeyIds) -> ProofCheck:
        jwt = _library()
        header = _header_of(proof)
        if not header:
            return _refused("malformed")
        kid = header.get("kid")
        key = self._keys.get(kid) if isinstance(kid, str) else None
        if key is None or "crit" in header:
            return _refused("signature")
        try:
            claims = jwt.decode(proof, key, algorithms=["EdDSA"], options=_TIMES_ARE_CHECKED_LAST)
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
            return _refused("signature")
        except jwt.PyJWTError:
            return _refused("malformed")
        if claims["aud"] not in ([key_ids] if isinstance(key_ids, str) else list(key_ids)):
            return _refused("other_team")
        now = time.time()
        if now > claims["exp"] + _TOLERANCE or now < claims["iat"] - _TOLERANCE:
            return _refused("expired")
        if claims["email"] != email.strip().translate(_LOWER):
            return _refused("other_email")
        return {
            "valid": True,
            "why": None,
            "status": claims["status"],
            "reason": claims["reason"],
            "decision": claims["decision"],
            "verified_at": _time_of(claims["iat"]),
            "expires_at": _time_of(claims["exp"]),
            "jti": claims["jti"],
        }


def _library() -> Any:
    try:
        import cryptography  # noqa: F401
        import jwt
    except ImportError:
        raise RcptError("verify_proof needs PyJWT with cryptography: install rcpt[proofs].") from None
    return jwt


def _header_of(proof: str) -> Dict[str, Any]:
    """Empty: the text is no token."""
    jwt = _library()
    if not isinstance(proof, str) or len(proof) > _MAX_LENGTH or proof.count(".") != 2:
        return {}
    try:
        return dict(jwt.get_unverified_header(proof))
    except (jwt.PyJWTError, ValueError, RecursionError):
        return {}


def _time_of(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _refused(why: str) -> ProofCheck:
    return {
        "valid": False,
        "why": why,
        "status": None,
        "reason": None,
        "decision": None,
        "verified_at": None,
        "expires_at": None,
        "jti": None,
    }
