// A recipient that acknowledges every notification at once and remembers which bytes came for which order.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mixedNotifications, orderIdOf } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";

const bodies = mixedNotifications();
const token = "recipient-of-the-bench";

/** Digests of the bodies that came, with how often each did. */
let arrivals = new Map<string, number>();
let webhookIds = new Set<string>();
let [received, unauthenticated] = [0, 0];
let onArrival: () => void = () => undefined;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { authorization, "webhook-id": webhookId, "webhook-timestamp": timestamp } = request.headers;
    if (authorization !== `Bearer ${token}` || typeof webhookId !== "string" || timestamp === undefined) {
      unauthenticated += 1;
      return void response.writeHead(401).end();
    }
    const digest = digestOf(Buffer.concat(chunks));
    arrivals.set(digest, (arrivals.get(digest) ?? 0) + 1);
    webhookIds.add(webhookId);
    received += 1;
    onArrival();
    response.writeHead(200, { "content-type": "application/json" }).end('{"AcknowledgeResponse":{"Status":"OK"}}');
  });
});
server.keepAliveTimeout = 60_000;

function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64");
}

const calls = {
  async listen() {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`, token };
  },

  /** Resolves when so many have arrived, or when the time is over. */
  async untilReceived({ count, withinMs }: { readonly count: number; readonly withinMs: number }): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
      onArrival = () => {
        if (received >= count) resolve();
      };
      onArrival();
    });
    clearTimeout(timer);
  },

  /** What came of the orders from the first on, and a new count from here on. */
  takeArrivals({ first, count }: { readonly first: number; readonly count: number }) {
    const arrived = Array.from(
      { length: count },
      (_, index) => arrivals.get(digestOf(bodies.bodyOf(first + index))) ?? 0,
    );
    const missing = arrived.findIndex((times) => times === 0);
    const taken = {
      received,
      unauthenticated,
      webhookIds: webhookIds.size,
      /** Orders whose notification came byte for byte. */
      intact: arrived.filter((times) => times > 0).length,
      firstMissing: missing === -1 ? null : orderIdOf(first + missing),
    };
    arrivals = new Map();
    webhookIds = new Set();
    [received, unauthenticated] = [0, 0];
    return taken;
  },
};
export type RecipientCalls = typeof calls;
serveCalls(calls);
