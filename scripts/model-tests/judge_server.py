"""Recognizes speech with Whisper by faster-whisper. Answers as OpenAI's `POST /v1/audio/transcriptions` does.

Its argument is the folder of the model. The port that it listens on is its first line of output.
"""

import io
import json
import sys
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from faster_whisper import WhisperModel

model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=1)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        fields = {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
        }
        # Without the text before it a segment cannot repeat what was recognized wrongly. At temperature 0 nothing is random.
        segments, _ = model.transcribe(
            io.BytesIO(fields["file"]), language="en", condition_on_previous_text=False, temperature=0
        )
        answer = json.dumps({"text": "".join(segment.text for segment in segments).strip()}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
