import { parentPort, workerData } from "node:worker_threads";
import type { Dialect } from "../contract/dialect.ts";
import type { ReadReply, ReadRequest } from "./order-reader.ts";

const { dialect }: { readonly dialect: Dialect } = await import(workerData);

parentPort?.on("message", ({ id, body, ordersMax }: ReadRequest) => {
  const reply: ReadReply = { id, reading: dialect.findOrders(body, ordersMax) };
  parentPort?.postMessage(reply);
});
