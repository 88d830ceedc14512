"""Long notes, links to nothing, pipes, files that others can read."""

import os
import subprocess

from service import TOOL, ServiceTest


class Limits(ServiceTest):
    def test_notes(self) -> None:
        s = self.serve()
        self.make(s)
        s.post("/v1/studies/arm/ask")
        at = "/v1/studies/arm/trials/1"
        long, fits = "x" * 1024, "y" * 1023
        s.refused("POST", f"{at}/note", {"text": long}, 400, "note: expected at most 1023 bytes, got 1024")
        s.refused("POST", "/v1/studies/arm/enqueue", {"theta": [1, 0], "note": long}, 400, "at most 1023")
        row = {"theta": [1, 0], "tau": 10, "scores": [1, 2], "note": long}
        s.refused("POST", "/v1/studies/arm/add", {"trials": [row]}, 400, "at most 1023")
        s.refused("POST", f"{at}/tell", {"scores": [1, 2], "note": long}, 400, "at most 1023")
        self.assertEqual(s.get(at)["state"], "asked")  # nothing was told
        self.assertEqual(s.post(f"{at}/note", {"text": fits})["note"], fits)
        failed = s.post(f"{at}/fail", {"note": "z" * 100000})["note"]  # a failure is kept, if not at length
        self.assertEqual(failed, "z" * 1020 + "...")

    def run_tool(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=120)

    def test_a_link_to_nothing(self) -> None:
        spec = self.scratch / "spec.yaml"
        spec.write_text("theta: [{name: x, low: 0, high: 1}]\ntau: [1]\nreps: [1]\n")
        target = self.scratch / "elsewhere.besd"
        link = self.folder / "arm.besd"
        link.symlink_to(target)
        ended = self.run_tool("create", str(link), "--spec", str(spec))
        self.assertEqual(ended.returncode, 1)
        self.assertIn("a link to a file that is not there", ended.stderr)
        self.assertFalse(target.exists())
        self.assertEqual(self.run_tool("create", str(target), "--spec", str(spec)).returncode, 0)
        self.assertEqual(self.run_tool("create", str(link), "--spec", str(spec)).returncode, 0)

    def test_a_pipe_that_nobody_writes(self) -> None:
        pipe = self.scratch / "pipe"
        os.mkfifo(pipe)
        ended = self.run_tool("create", str(self.folder / "arm.besd"), "--spec", str(pipe))
        self.assertEqual(ended.returncode, 1)
        self.assertIn("expected a file, got a pipe", ended.stderr)

    def test_a_token_that_others_can_read(self) -> None:
        token = self.scratch / "token"
        token.write_text("0123456789abcdef\n")
        token.chmod(0o644)
        self.assertIn("chmod 600", self.fails_to_start(str(self.folder), "--token-file", str(token)))

    def test_what_computes_is_there_at_the_start(self) -> None:
        s = self.serve()
        self.assertIn("openblas", open(f"/proc/{s.process.pid}/maps").read())
