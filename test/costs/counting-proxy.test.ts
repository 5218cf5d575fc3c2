import { once } from "node:events";
import { connect, type Socket } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts";

let db: TestDatabase;
let proxy: CountingProxy;
let client: pg.Client;

beforeEach(async () => {
  db = await createTestDatabase();
  proxy = await startCountingProxy(db.serviceUrl);
  client = new pg.Client({ connectionString: proxy.url, application_name: "counted" });
  await client.connect();
});
afterEach(async () => {
  await client?.end();
  await proxy?.close();
  await db?.drop();
});

const sent = () => proxy.roundTrips().map(({ statements }) => statements);

test("a statement without a name, one with a name and one that is refused are distinguished", async () => {
  await client.query("select $1::int", [1]);
  await client.query({ name: "two", text: "select $1::int + 1", values: [1] });
  await client.query({ name: "two", text: "select $1::int + 1", values: [2] });
  await expect(client.query("select 1 / 0")).rejects.toThrow("division by zero");

  const two = { text: "select $1::int + 1", command: "SELECT", isNamed: true, isAlone: true };
  expect(sent()).toEqual([
    [{ text: "select $1::int", command: "SELECT", isNamed: false, isAlone: true }],
    [two],
    [two],
    [{ text: "select 1 / 0", command: "ERROR", isNamed: false, isAlone: true }],
  ]);
  expect(proxy.roundTrips()[0]?.program).toBe("counted");
});

test("each statement of one text is counted, and those of a transaction are not alone", async () => {
  await client.query("begin");
  await client.query("select 1");
  await client.query("select 2; commit");
  await client.query("begin; select 3; commit");

  expect(sent().map((statements) => statements.map(({ command }) => command))).toEqual([
    ["BEGIN"],
    ["SELECT"],
    ["SELECT", "COMMIT"],
    ["BEGIN", "SELECT", "COMMIT"],
  ]);
  expect(
    sent()
      .flat()
      .some(({ isAlone }) => isAlone),
  ).toBe(false);
});

test("statements that are sent together without waiting are one round trip", async () => {
  const socket = await connectPlainly(proxy.url);
  proxy.forget();
  socket.write(Buffer.concat([message("Q", "select 1"), message("Q", "select 2"), message("Q", "select 3")]));
  await eventually(() => expect(sent().flat()).toHaveLength(3));
  await eventually(() => expect(proxy.activity()).not.toBeNull());
  socket.write(message("Q", "select 4"));
  await eventually(() => expect(sent().flat()).toHaveLength(4));
  socket.destroy();

  expect(sent().map((statements) => statements.length)).toEqual([3, 1]);
});

test("wake-ups wait until they are passed on", async () => {
  const received: string[] = [];
  client.on("notification", ({ payload }) => received.push(payload ?? ""));
  await client.query("listen example");
  await client.query("notify example, 'first'");
  await eventually(() => expect(proxy.messages()).toEqual([{ program: "counted", channel: "example" }]));
  await client.query("select 1");
  expect(received).toEqual([]);

  expect(proxy.passNotifies()).toBe(true);

  await eventually(() => expect(received).toEqual(["first"]));
  expect(proxy.passNotifies()).toBe(false);
});

test("responses are kept back until they are released", async () => {
  const held = proxy.holdBack(1);
  let hasResponded = false;
  const response = client.query("select 1").then(() => {
    hasResponded = true;
  });
  await eventually(() => expect(sent().flat()).toHaveLength(1));
  expect({ hasResponded, held: held.count() }).toEqual({ hasResponded: false, held: 1 });

  held.release();

  await response;
  expect(held.count()).toBe(0);
});

/** A connection on which a test writes the protocol by itself. */
async function connectPlainly(url: string): Promise<Socket> {
  const { port, username, pathname } = new URL(url);
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  await once(socket, "connect");
  const parameters = `\0\x03\0\0user\0${username}\0database\0${pathname.slice(1)}\0\0`;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + parameters.length);
  socket.write(Buffer.concat([length, Buffer.from(parameters, "latin1")]));
  const isReady = Buffer.from("Z\0\0\0\x05I", "latin1");
  let received = Buffer.alloc(0);
  while (!received.includes(isReady)) received = Buffer.concat([received, (await once(socket, "data"))[0] as Buffer]);
  socket.resume();
  return socket;
}

function message(type: string, text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
