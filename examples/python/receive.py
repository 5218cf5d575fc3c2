"""Receives Order Change Notifications, keeps their bytes, and acknowledges them. Needs nothing but Python 3.9."""

import base64
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = os.environ.get("OCN_TOKEN", "my-token")
BYTES_MAX = 4 * 1024 * 1024


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.respond(401, {"detail": "The token is wrong."})
        length = int(self.headers.get("Content-Length", 0))
        if length > BYTES_MAX:
            return self.respond(413, {"detail": f"A notification has at most {BYTES_MAX} bytes."})
        body = self.rfile.read(length)
        orders = order_ids(body)
        # Kept first: what is acknowledged is not sent again.
        with open("notifications.jsonl" if orders else "rejected.jsonl", "ab") as file:
            file.write(base64.b64encode(body) + b"\n")
        if not orders:
            return self.respond(422, {"detail": "The body names no order: it has no OrderViewRS.Order with an OrderID."})
        self.respond(
            200,
            {"AcknowledgeResponse": {"Status": "OK", "Message": "Involuntary schedule change response received"}},
        )
        print("changed:", " ".join(orders), flush=True)

    def respond(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def order_ids(body):
    """`Order` may be one order or a list of them. None of a body that cannot be read."""
    try:
        view = json.loads(body)
        orders = view.get("OrderViewRS", view)["Order"]
        return [str(order["OrderID"]) for order in (orders if isinstance(orders, list) else [orders])]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print("listening", flush=True)
    server.serve_forever()
