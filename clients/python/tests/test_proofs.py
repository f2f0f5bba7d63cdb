from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Dict
from unittest import mock

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from scripted_server import KEY, ScriptedServer

from rcpt import AsyncRcpt, Rcpt, RcptError, ServerError

OWN, OTHER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
EMAIL = "Jane@Example.com"
ID = "key_1"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _raw(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def published(**keys: Ed25519PrivateKey) -> Any:
    own = {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig"}
    all_keys = [{**own, "kid": kid, "x": _encoded(_raw(key))} for kid, key in keys.items()]
    return 200, {"Content-Type": "application/json"}, json.dumps({"keys": all_keys})


def claims(**more: Any) -> Dict[str, Any]:
    now = int(time.time())
    verdict = {"email": "jane@example.com", "status": "risky", "reason": "catch_all", "decision": "review"}
    return {"aud": ID, "iat": now, "exp": now + 1_800, "jti": "j1", **verdict, **more}


def signed(key: Ed25519PrivateKey = OWN, kid: str = "own", **more: Any) -> str:
    return jwt.encode(claims(**more), key, algorithm="EdDSA", headers={"kid": kid})


def _with_header(proof: str, **header: Any) -> str:
    return ".".join([_encoded(json.dumps(header).encode()), *proof.split(".")[1:]])


def _hs256() -> str:
    text = _with_header(signed(), alg="HS256", kid="own").rpartition(".")[0]
    return f"{text}.{_encoded(hmac.new(_raw(OWN), text.encode(), hashlib.sha256).digest())}"


class ProofsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.server = ScriptedServer()
        self.addCleanup(self.server.close)
        self.server.answers = [published(own=OWN)]
        self.rcpt = Rcpt(api_key=KEY, base_url=self.server.url, max_retries=0)
        self.addCleanup(self.rcpt.close)

    def check(self, proof: str, email: str = EMAIL) -> Any:
        return self.rcpt.verify_proof(proof, email, key_ids=["key_0", ID])

    def test_returns_what_the_service_signed_and_reads_the_keys_once(self) -> None:
        verdict = {"valid": True, "why": None, "status": "risky", "reason": "catch_all", "decision": "review"}
        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(self.check, [signed()] * 4, [EMAIL, " jane@example.COM\n"] * 2):
                self.assertEqual({**found, **verdict, "jti": "j1"}, found)
        self.assertTrue(self.rcpt.verify_proof(signed(), EMAIL, key_ids=ID)["valid"])
        self.assertEqual(len(self.server.received), 1)

    def test_refuses_other_keys_addresses_and_times(self) -> None:
        now = int(time.time())
        for why, email, proof in (
            ("other_team", EMAIL, signed(aud="key_2")),
            ("other_team", "x", signed(aud="key_2", exp=1)),
            ("other_email", "joe@example.com", signed()),
            ("other_email", "kate@x.example", signed(email="\u212aate@x.example")),
            ("expired", EMAIL, signed(exp=now - 62)),
            ("expired", EMAIL, signed(iat=now + 70)),
        ):
            self.assertEqual(self.check(proof, email)["why"], why)
        self.assertTrue(self.check(signed(exp=now - 50))["valid"])

    def test_refuses_what_the_service_did_not_sign(self) -> None:
        good = signed()
        head, _, signature = good.split(".")
        changed = _encoded(json.dumps(claims(decision="accept")).encode())
        for proof in (
            signed(OTHER),
            signed(OTHER, kid="other"),
            _with_header(good, alg="EdDSA"),
            _with_header(good, alg="none", kid="own"),
            _with_header(good, alg="none", kid="own").rpartition(".")[0] + ".",
            _with_header(good, alg="EdDSA", kid="own", crit=["x"], x=1),
            _hs256(),
            f"{head}.{changed}.{signature}",
            good[:-20],
        ):
            self.assertIn(self.check(proof)["why"], ("signature", "malformed"))
        for proof in ("", "x", "..", "a.b.c", "a.b.c.d", "e30.e30.e30", "x" * 5_000, "\ud800.\x00.ü"):
            self.assertEqual({**self.check(proof), "why": None, "valid": False, "jti": None}, {**self.check(""), "why": None})

    def test_reads_the_keys_again_at_most_once_a_minute(self) -> None:
        clock = mock.patch("rcpt._proofs.time.monotonic", side_effect=lambda: self.now)
        self.now = 1_000.0
        with clock:
            self.assertTrue(self.check(signed())["valid"])
            self.server.answers = [published(new=OTHER, own=OWN)]
            self.assertEqual(self.check(signed(OTHER, "new"))["why"], "signature")
            self.now += 61
            self.assertTrue(self.check(signed(OTHER, "new"))["valid"])
            for number in range(20):
                self.check(signed(kid=f"k{number}"))
            self.assertEqual(len(self.server.received), 2)
            # While the service does not answer, its keys stay; when it has removed one, they do not.
            self.now += 3_601
            self.server.answers = [(500, {}, "down")]
            self.assertTrue(self.check(signed())["valid"])
            self.server.answers = [published(new=OTHER)]
            self.now += 61
            self.assertEqual(self.check(signed())["why"], "signature")

    def test_raises_without_keys_and_tries_again(self) -> None:
        problem = json.dumps({"status": 500, "code": "internal_error"})
        self.server.answers = [(500, {}, problem), published(own=OWN)]
        with self.assertRaises(ServerError):
            self.check(signed())
        self.assertTrue(self.check(signed())["valid"])

    def test_says_what_to_install(self) -> None:
        with mock.patch.dict("sys.modules", {"jwt": None}):
            with self.assertRaisesRegex(RcptError, r"rcpt\[proofs\]"):
                self.check(signed())

    def test_works_with_asyncio(self) -> None:
        async def check() -> Any:
            async with AsyncRcpt(api_key=KEY, base_url=self.server.url) as rcpt:
                return await asyncio.gather(
                    *(rcpt.verify_proof(signed(), EMAIL, key_ids=[ID]) for _ in range(3))
                )

        self.assertEqual([found["why"] for found in asyncio.run(check())], [None] * 3)
        self.assertEqual(len(self.server.received), 1)
