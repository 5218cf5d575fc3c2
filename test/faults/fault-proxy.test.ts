import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

let echo: Server;
let proxy: FaultProxy;
const open: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  echo.listen(0, "127.0.0.1");
  await once(echo, "listening");
  proxy = await startFaultProxy();
  proxy.setTargets([(echo.address() as AddressInfo).port]);
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await proxy.close();
  echo.close();
});

async function call(): Promise<Socket> {
  const socket = connect(proxy.port, "127.0.0.1");
  socket.on("error", () => {});
  open.push(socket);
  await Promise.race([once(socket, "connect").catch(() => {}), closed(socket)]);
  return socket;
}

/** `once` rejects with the error of a connection that breaks; here that is what is waited for. */
function closed(socket: Socket): Promise<"closed"> {
  return new Promise((resolve) => {
    if (socket.closed) resolve("closed");
    socket.once("close", () => resolve("closed"));
  });
}

async function print(socket: Socket, text: string): Promise<string> {
  const received = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(String(chunk))));
  const response = Promise.race([received, closed(socket)]);
  socket.write(text);
  return await response;
}

test("carries bytes both ways while nothing is shown", async () => {
  expect(await print(await call(), "hello")).toBe("hello");
});

test("reset breaks what is open, and new connections work", async () => {
  const before = await call();
  expect(await print(before, "one")).toBe("one");
  const broken = closed(before);

  proxy.show("reset", 0);

  await broken;
  expect(await print(await call(), "two")).toBe("two");
});

test("refuse breaks new connections as well, until the time is over", async () => {
  proxy.show("refuse", 60_000);
  expect(await print(await call(), "one")).toBe("closed");

  proxy.heal();

  expect(await print(await call(), "two")).toBe("two");
});

test("delay lets everything arrive, late and in order", async () => {
  const socket = await call();
  proxy.show("delay", 60_000, 80);
  const startedAt = performance.now();
  let received = "";
  socket.on("data", (chunk) => {
    received += String(chunk);
  });
  socket.write("one ");
  socket.write("two");

  while (received.length < 7) await once(socket, "data");

  expect(received).toBe("one two");
  expect(performance.now() - startedAt).toBeGreaterThan(150);
});

test("half-open swallows bytes and keeps the connection, which breaks in the end", async () => {
  const socket = await call();
  expect(await print(socket, "one")).toBe("one");
  proxy.show("half-open", 150);
  const startedAt = performance.now();

  expect(await print(socket, "two")).toBe("closed");
  expect(performance.now() - startedAt).toBeGreaterThan(100);
});
