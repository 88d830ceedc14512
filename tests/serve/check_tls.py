"""HTTPS, and addresses that others can reach."""

import http.client
import json
import shutil
import ssl
import subprocess
import unittest

from service import TOOL, ServiceTest

TOKEN = "0123456789abcdef0123456789abcdef"


@unittest.skipUnless(shutil.which("openssl"), "no openssl to make a certificate")
class Tls(ServiceTest):
    def certificate(self, name: str = "a") -> tuple[str, str]:
        cert, key = self.scratch / f"{name}.crt", self.scratch / f"{name}.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
            check=True, capture_output=True,
        )  # fmt: skip
        key.chmod(0o600)
        return str(cert), str(key)

    def token_file(self) -> str:
        path = self.scratch / "token"
        path.write_text(TOKEN + "\n")
        path.chmod(0o600)
        return str(path)

    def start(self, *arguments: str) -> tuple[subprocess.Popen[str], int]:
        process = subprocess.Popen([TOOL, "serve", str(self.folder), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        line = process.stdout.readline()
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertIn("https://0.0.0.0:", line)
        return process, int(line.rstrip("/\n").rpartition(":")[2])

    def test_https(self) -> None:
        cert, key = self.certificate()
        process, port = self.start("--listen", "0.0.0.0:0", "--token-file", self.token_file(), "--tls-cert", cert, "--tls-key", key)
        context = ssl.create_default_context(cafile=cert)
        line = http.client.HTTPSConnection("localhost", port, timeout=60, context=context)
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        body = {"name": "arm", "description": {"theta": [{"name": "x", "low": 0, "high": 1}], "tau": [1], "reps": [1], "method": "random"}}
        for method, path, what, code in (
            ("POST", "/v1/studies", body, 201),
            ("POST", "/v1/studies/arm/ask", {}, 200),
            ("POST", "/v1/studies/arm/trials/1/tell", {"scores": [0.5]}, 200),
            ("POST", "/v1/studies/arm/add", {"trials": [{"theta": [0.5], "tau": 1, "scores": [i]} for i in range(600)]}, 201),
            ("GET", "/v1/studies/arm/trials", None, 200),  # in pieces
            ("GET", "/nothing", None, 404),
        ):
            line.request(method, path, None if what is None else json.dumps(what), headers)
            answer = line.getresponse()
            said = json.loads(answer.read())
            self.assertEqual(answer.status, code, said)
            if path.endswith("/trials"):
                self.assertEqual(len(said["trials"]), 601)
        with self.assertRaises((OSError, http.client.HTTPException)):
            plain = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            plain.request("GET", "/healthz")
            plain.getresponse()
        stranger = ssl.create_default_context(cafile=self.certificate("b")[0])
        with self.assertRaises(ssl.SSLError):
            http.client.HTTPSConnection("localhost", port, timeout=60, context=stranger).connect()
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(cert)
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises((OSError, ssl.SSLError)):
            http.client.HTTPSConnection("localhost", port, timeout=60, context=old).connect()
        line.close()
        process.terminate()
        self.assertEqual(process.wait(timeout=60), 0)

    def test_what_is_refused(self) -> None:
        lab, token = str(self.folder), self.token_file()
        cert, key = self.certificate()
        other = self.certificate("b")[1]
        public = ("--listen", "0.0.0.0:0", "--token-file", token)
        self.assertIn("--behind-proxy", self.fails_to_start(lab, *public))
        self.assertIn("token", self.fails_to_start(lab, "--listen", "0.0.0.0:0", "--tls-cert", cert, "--tls-key", key))
        self.assertIn("belong together", self.fails_to_start(lab, *public, "--tls-cert", cert))
        self.assertIn("belong together", self.fails_to_start(lab, *public, "--tls-cert", cert, "--tls-key", other))
        self.assertIn("in PEM", self.fails_to_start(lab, *public, "--tls-cert", token, "--tls-key", key))
        (self.scratch / "a.key").chmod(0o640)
        self.assertIn("chmod 600", self.fails_to_start(lab, *public, "--tls-cert", cert, "--tls-key", key))
