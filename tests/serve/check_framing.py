"""Requests of which a proxy and a server could think differently where they end."""

import re
import socket

from service import Server, ServiceTest

LINE = b"POST /v1/studies/arm/ask HTTP/1.1\r\n"
HOST = b"Host: localhost\r\n"
SECOND = b"POST /v1/studies/arm/ask HTTP/1.1\r\nHost: localhost\r\n\r\n"  # what a smuggler wants to be heard


class Framing(ServiceTest):
    def send(self, s: Server, text: bytes) -> tuple[list[int], bytes]:
        """The codes of all answers, until the server closes."""
        with socket.create_connection(("127.0.0.1", s.port), timeout=60) as line:
            line.sendall(text)
            got = b""
            while more := line.recv(1 << 16):
                got += more
        return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+) ", got)], got

    def test_ends_that_are_not_plain(self) -> None:
        s = self.serve()
        self.make(s)
        json = b"Content-Type: application/json\r\n"
        for text, code in (
            (LINE + HOST + json + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
            (LINE + HOST + json + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 411),
            (LINE + HOST + json + b"Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", 411),
            (LINE + HOST + json + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 411),
            (LINE + HOST + json + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
            (LINE + HOST + json + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
            (LINE + HOST + json + b"Content-Length: 2\r\ncontent-length: 2\r\n\r\n{}", 400),
            (LINE + HOST + json + b"Content-Length : 2\r\n\r\n{}", 400),
            (LINE + HOST + json + b"Content-Length: +2\r\n\r\n{}", 400),
            (LINE + HOST + json + b"Content-Length: 0x2\r\n\r\n{}", 400),
            (LINE + HOST + b"X: y\nZ: z\r\n\r\n", 400),
            (LINE + HOST + b"X: y\n\r\n", 400),
            (LINE + HOST + b"X: y\n\n", 400),
            (LINE + HOST + b"X: y\r\n\n", 400),
            (LINE + b"Host: localhost\n\n", 400),
            (LINE.replace(b"\r", b"") + HOST + b"\r\n", 400),
            (LINE + HOST + b"X: y\rContent-Length: 2\r\n\r\n", 400),
            (LINE + HOST + b"X: y\r\n z\r\n\r\n", 400),
            (LINE + HOST + b"X: y\r\n\tz\r\nA: b\r\n\r\n", 400),
            (LINE + HOST + b"X\x01: y\r\n\r\n", 400),
            (LINE + HOST + b"X: \x7f\r\n\r\n", 400),
            (LINE + HOST + b"Host: localhost\r\n\r\n", 400),
            (LINE + b"X: y\r\n\r\n", 400),
            (LINE + b"\r\n", 400),
        ):  # fmt: skip
            codes, said = self.send(s, text + SECOND)
            self.assertEqual(set(codes), {code}, f"{text!r}: {said!r}")  # libmicrohttpd says some of its own twice
        self.assertEqual(s.get("/v1/studies/arm")["trials"]["asked"], 0)

    def test_ends_that_are(self) -> None:
        s = self.serve()
        self.make(s)
        body = b'{"worker": "w"}'
        with_body = LINE + HOST + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        for text, count in (
            (LINE + HOST + b"\r\n", 1),
            (b"\r\n" + LINE + HOST + b"\r\n", 1),
            (LINE + b"Host:localhost\r\nX:\r\nY:   \r\n\r\n", 1),
            (LINE + HOST + b"X: a\tb \r\n\r\n", 1),
            (with_body * 3, 3),
            (SECOND * 5, 5),
        ):
            last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            codes, said = self.send(s, text + last)
            self.assertEqual(codes, [200] * (count + 1), f"{text!r}: {said!r}")
        old, _ = self.send(s, b"GET /healthz HTTP/1.0\r\n\r\n")
        self.assertEqual(old, [200])
