"""Connections of others: those that say nothing, those of pages of other sites, those without a token."""

import resource
import socket
import subprocess
import threading

from service import TOOL, ServiceTest

TOKEN = "0123456789abcdef0123456789abcdef"


class Connections(ServiceTest):
    def token_file(self) -> str:
        path = self.scratch / "token"
        path.write_text(TOKEN + "\n")
        path.chmod(0o600)
        return str(path)

    def test_who_says_nothing_keeps_nobody_out(self) -> None:
        """As many as like, coming back as often as they are cut, where few files may be open."""
        few = 128
        s = self.serve(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (few, few)))
        self.make(s)
        ending = threading.Event()

        def idle() -> None:
            while not ending.is_set():
                try:
                    with socket.create_connection(("127.0.0.1", s.port), timeout=5) as line:
                        line.settimeout(20)
                        line.recv(1)
                except OSError:
                    pass

        crowd = [threading.Thread(target=idle, daemon=True) for _ in range(few // 2)]  # twice as many as are accepted
        for one in crowd:
            one.start()
        for trial in range(1, 4):  # each on a connection of its own
            self.assertEqual(s.post("/v1/studies/arm/ask")["trial"], trial)
            s.post(f"/v1/studies/arm/trials/{trial}/tell", {"scores": [1, 2]})
        ending.set()
        s.kill()
        for one in crowd:
            one.join()

    def test_files_that_may_be_open(self) -> None:
        s = self.serve(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 700)))
        soft, _ = resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE)
        self.assertEqual(soft, 700)

    def test_many_from_one_address(self) -> None:
        s = self.serve(str(self.folder), "--token-file", self.token_file(), "--per-address", "5", "--behind-proxy", listen="0.0.0.0:0", token=TOKEN)
        lines = [s.connect() for _ in range(5)]
        for line in lines:
            self.assertEqual(s.call("GET", "/v1/studies", connection=line).code, 200)
        with socket.create_connection(("127.0.0.1", s.port), timeout=60) as sixth:
            try:
                sixth.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                self.assertEqual(sixth.recv(1), b"")
            except ConnectionError:
                pass
        lines.pop().close()
        for line in lines:
            self.assertEqual(s.call("GET", "/v1/studies", connection=line).code, 200)
            line.close()

    def test_pages_of_other_sites(self) -> None:
        """What fetch(..., {mode: "no-cors"}) sends has no Origin, and is no preflight."""
        s = self.serve()
        self.make(s)
        for site in ("cross-site", "same-site", "CROSS-SITE", "whatever"):
            for path in ("/v1/studies", "/v1/studies/arm/recommend", "/v1/studies/arm/trials", "/metrics"):
                s.refused("GET", path, None, 403, "another site", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"})
            self.assertEqual(s.call("GET", "/", headers={"Sec-Fetch-Site": site}).code, 200)  # a link to the page
        for site in ("same-origin", "none", "Same-Origin"):
            self.assertEqual(s.call("GET", "/v1/studies", headers={"Sec-Fetch-Site": site}).code, 200)
        for path in ("/", "/v1/studies", "/healthz", "/nothing"):
            headers = s.call("GET", path).headers
            self.assertEqual(headers["cross-origin-resource-policy"], "same-origin")
            self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
            self.assertEqual(headers["x-frame-options"], "DENY")
            self.assertIn("frame-ancestors 'none'", headers["content-security-policy"])
        guarded = self.serve(str(self.folder), "--token-file", self.token_file(), token=TOKEN)
        self.assertEqual(guarded.call("GET", "/v1/studies", headers={"Sec-Fetch-Site": "cross-site"}).code, 200)  # it has the token

    def test_metrics_name_studies(self) -> None:
        s = self.serve(str(self.folder), "--token-file", self.token_file(), token=TOKEN)
        self.make(s)
        self.assertIn('study="arm"', s.get("/metrics"))
        s.token = None
        s.refused("GET", "/metrics", None, 401, "a token is needed")
        told = self.serve(str(self.folder), "--token-file", self.token_file(), "--open-metrics")
        self.assertIn('study="arm"', told.get("/metrics"))
        told.refused("GET", "/v1/studies", None, 401, "a token is needed")
        wrong = subprocess.run([TOOL, "serve", str(self.folder), "--per-address", "-1"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--per-address", wrong.stderr)
