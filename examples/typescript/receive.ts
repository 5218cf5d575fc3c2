// Receives notifications, keeps their bytes, and acknowledges them. From docs/client.md.
import { appendFile } from "node:fs/promises";
import { createServer } from "node:http";
import { acknowledgeResponse, readNotification } from "@skedchange/client";

const server = createServer(async (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env["OCN_TOKEN"] ?? "my-token"}`) {
    response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
    return;
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  const body = Buffer.concat(chunks);
  const read = readNotification(body);
  await appendFile(read.ok ? "notifications.jsonl" : "rejected.jsonl", `${body.toString("base64")}\n`);
  response.writeHead(read.ok ? 200 : 422, { "Content-Type": "application/json" });
  response.end(JSON.stringify(read.ok ? acknowledgeResponse() : read.problem));
  if (read.ok) console.log("changed:", read.view.orders.map(({ orderId }) => orderId).join(" "));
});
server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => console.log("listening"));
