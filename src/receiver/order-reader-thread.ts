import { parentPort } from "node:worker_threads";
import { readNotifiedOrders } from "../contract/notified-orders.ts";
import type { ReadReply, ReadRequest } from "./order-reader.ts";

parentPort?.on("message", ({ id, body, ordersMax }: ReadRequest) => {
  const reply: ReadReply = { id, reading: readNotifiedOrders(body, ordersMax) };
  parentPort?.postMessage(reply);
});
