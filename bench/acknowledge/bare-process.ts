// The least that a push target can do: read the body, parse it, respond. It stores nothing and lets everybody in.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { orderNumberOf } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";

interface Notification {
  readonly OrderViewRS: { readonly Order: readonly { readonly OrderID: string }[] };
}

let [parsed, orderSum] = [0, 0];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { OrderViewRS } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Notification;
    parsed += 1;
    for (const { OrderID } of OrderViewRS.Order) orderSum += orderNumberOf(OrderID);
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"AcknowledgeResponse":{"Status":"OK"}}');
  });
});

const calls = {
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  /** What was parsed since the last time it was asked. */
  takeCounts() {
    const counts = { parsed, orderSum };
    [parsed, orderSum] = [0, 0];
    return counts;
  },
};
export type BareCalls = typeof calls;
serveCalls(calls);
