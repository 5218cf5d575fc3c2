import { randomBytes, scryptSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type {
  IncomingNotification,
  NotificationStore,
  ReceiverLimits,
  ReceiverSource,
  RecordingOutcome,
} from "../../../src/receiver/ports.ts";
import { openDatabase } from "../../../src/store/database/database.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createTestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { anOcn, bearer, newToken, post, type ReceiverServer, startReceiver } from "./receiver-server.ts";

/** Keeps everything in memory, once it is let go. */
function aStore(options: { readonly hold?: boolean } = {}) {
  const recorded: IncomingNotification[] = [];
  let letGo = (): void => {};
  const gate = options.hold === true ? new Promise<void>((resolve) => (letGo = resolve)) : Promise.resolve();
  const store: NotificationStore = {
    async recordBatch(batch) {
      await gate;
      recorded.push(...batch);
      return batch.map(
        ({ id, copies }): RecordingOutcome => ({ recorded: true, notificationId: id, receipts: copies }),
      );
    },
  };
  return { store, recorded, letGo: () => letGo() };
}

/** Of a cost that lets a test send many wrong guesses. */
function aCheapHash(text: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(text, salt, 32, { N: 4096, r: 8, p: 1 });
  return `scrypt$N=4096,r=8,p=1$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** A connection whose bytes a test writes itself. */
function openConnection(server: ReceiverServer) {
  const socket: Socket = connect(server.port, "127.0.0.1");
  let received = "";
  let closed = false;
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    received += text;
  });
  socket.on("close", () => {
    closed = true;
  });
  socket.on("error", () => {});
  return {
    write: (text: string) => void socket.write(text, "latin1"),
    abort: () => socket.destroy(),
    received: () => received,
    isClosed: () => closed,
  };
}

function head(headers: Readonly<Record<string, string>>): string {
  const all = { Host: "127.0.0.1", Authorization: bearer(), "Content-Type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST /ocn HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** Checked cheaply, because each test starts a receiver of its own. */
const cheapSources: readonly ReceiverSource[] = [
  {
    name: "default",
    authentication: [{ kind: "bearer_tokens", tokens: [new Secret(aCheapHash(newToken))] }],
    acknowledgeUnusable: false,
  },
  {
    name: "lenient",
    authentication: [{ kind: "bearer_tokens", tokens: [new Secret(aCheapHash("lenient-token"))] }],
    acknowledgeUnusable: true,
  },
];

function start(store: NotificationStore, limits: Partial<ReceiverLimits> = {}): Promise<ReceiverServer> {
  return startReceiver(store, { sources: cheapSources, limits });
}

let server: ReceiverServer;
afterEach(() => server.close());

describe("a body that does not arrive", () => {
  test("in time gets 408, and its connection is closed", async () => {
    const { store, recorded } = aStore();
    server = await start(store, { bodyTimeoutMs: 100 });
    const connection = openConnection(server);

    connection.write(`${head({ "Content-Length": "100" })}{"Order`);

    await eventually(() => expect(connection.isClosed()).toBe(true));
    expect(connection.received()).toMatch(/^HTTP\/1\.1 408 /);
    expect(connection.received()).toContain('"code":"receiver.body_timeout"');
    expect(recorded).toEqual([]);
  });

  test("before its connection ends is not recorded, also when what came could be inflated", async () => {
    const { store, recorded } = aStore();
    server = await start(store);
    const compressed = gzipSync(anOcn("ABORT001")).toString("latin1");
    const connections = [
      { encoding: "identity", part: anOcn("ABORT001") },
      { encoding: "gzip", part: compressed },
    ].map(({ encoding, part }) => {
      const connection = openConnection(server);
      const headers = { "Content-Encoding": encoding, "Content-Length": String(part.length + 1) };
      connection.write(head(headers) + part);
      return connection;
    });
    await eventually(async () => {
      const sockets = await new Promise<number>((resolve) =>
        server.server.getConnections((_, count) => resolve(count)),
      );
      expect(sockets).toBe(2);
    });

    for (const connection of connections) connection.abort();

    await eventually(() =>
      expect(server.lines().map(({ message, fields }) => [message, fields.outcome])).toEqual([
        ["notification.refused", "receiver.body_aborted"],
        ["notification.refused", "receiver.body_aborted"],
      ]),
    );
    expect(recorded).toEqual([]);
  });

  test("because it is announced as too long is refused without being read", async () => {
    const { store } = aStore();
    server = await start(store, { bodyBytes: 10 });
    const connection = openConnection(server);

    connection.write(head({ "Content-Length": "11" }));

    await eventually(() => expect(connection.received()).toMatch(/^HTTP\/1\.1 413 /));
  });
});

describe("a caller that asks before it sends", () => {
  test("is asked for its body once it has proved who it is", async () => {
    const { store, recorded } = aStore();
    server = await start(store);
    const body = anOcn("EXPECT01");
    const connection = openConnection(server);

    connection.write(head({ Expect: "100-continue", "Content-Length": String(body.length) }));
    await eventually(() => expect(connection.received()).toBe("HTTP/1.1 100 Continue\r\n\r\n"));
    connection.write(body);

    await eventually(() => expect(connection.received()).toContain("HTTP/1.1 200 OK"));
    expect(recorded).toHaveLength(1);
  });

  test("is never asked when it has not, and must connect anew", async () => {
    const { store } = aStore();
    server = await start(store);
    const connection = openConnection(server);

    connection.write(head({ Expect: "100-continue", "Content-Length": "80", Authorization: "Bearer wrong" }));

    await eventually(() => expect(connection.isClosed()).toBe(true));
    expect(connection.received()).toMatch(/^HTTP\/1\.1 401 /);
    expect(connection.received()).not.toContain("100 Continue");
  });
});

describe("too much at once", () => {
  test("of one source gets 429 while it lasts, and leaves other sources alone", async () => {
    const { store } = aStore();
    server = await start(store, { readsPerSource: 1 });
    const body = anOcn("BUSY0001");
    const slow = openConnection(server);
    slow.write(`${head({ Expect: "100-continue", "Content-Length": String(body.length) })}`);
    await eventually(() => expect(slow.received()).toContain("100 Continue"));

    const refused = await post(server, anOcn("BUSY0002"));
    const other = await post(server, anOcn("BUSY0002"), { authorization: bearer("lenient-token") }, "/ocn/lenient");
    slow.write(body);
    await eventually(() => expect(slow.received()).toContain("HTTP/1.1 200 OK"));
    const later = await post(server, anOcn("BUSY0002"));

    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: "receiver.too_many_requests" });
    expect([other.status, later.status]).toEqual([200, 200]);
  });

  test("waiting for its commit gets 503 while it lasts", async () => {
    const { store, letGo } = aStore({ hold: true });
    const body = anOcn("FULL0001");
    server = await start(store, { backlogBytes: body.length });
    const waiting = post(server, body);
    await eventually(() => expect(server.receiver.backlogBytes()).toBe(body.length));

    const refused = await post(server, anOcn("FULL0002"));
    letGo();

    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "receiver.backlog_full" });
    expect((await waiting).status).toBe(200);
    expect((await post(server, anOcn("FULL0002"))).status).toBe(200);
  });

  test("of unknown credentials does not keep out a right one that was seen before", async () => {
    const { store } = aStore();
    server = await start(store);
    expect((await post(server, anOcn("FLOOD001"))).status).toBe(200);

    let refused = 0;
    const guess = async (index: number) => {
      const response = await post(server, anOcn("FLOOD002"), { authorization: bearer(`guess-${index}`) });
      await response.text();
      if (response.status === 401) refused += 1;
      return { status: response.status, retryAfter: response.headers.get("retry-after") };
    };
    // Of one network the newest check comes first, so one that had to wait would come last, or lose its place.
    const flood = Array.from({ length: 10 }, (_, index) => guess(index));
    const right = post(server, anOcn("FLOOD003"));
    flood.push(...Array.from({ length: 110 }, (_, index) => guess(10 + index)));
    expect((await right).status).toBe(200);
    expect(refused).toBeLessThan(40);

    const responses = await Promise.all(flood);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(responses.find(({ status }) => status === 429)?.retryAfter).toBe("2");
  });
});

describe("the database away", () => {
  test("gets 503, and the same notification is taken once it is back", async () => {
    const db = await createTestDatabase();
    const unreachable = openDatabase({
      url: "postgres://nobody@127.0.0.1:1/none",
      applicationName: "unreachable",
      maxConnections: 1,
      onError: () => {},
    });
    let database = unreachable;
    server = await start({
      recordBatch: (batch) => createNotificationStore(database).recordBatch(batch),
    });

    const refused = await post(server, anOcn("AWAY0001"));
    database = db.database;
    const taken = await post(server, anOcn("AWAY0001"));

    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("10");
    const document = (await refused.json()) as { code: string };
    expect(document.code).toBe("receiver.store_unavailable");
    expect(JSON.stringify(document)).not.toContain("127.0.0.1");
    expect(taken.status).toBe(200);
    await unreachable.close();
    await db.drop();
  });

  test("in the middle of a commit gets 503, and the connection is not used again", async () => {
    const db = await createTestDatabase();
    server = await start(createNotificationStore(db.database));
    expect((await post(server, anOcn("KILL0001"))).status).toBe(200);
    const admin = new pg.Client({ connectionString: db.adminUrl });
    await admin.connect();
    await admin.query("begin; lock table skedchange.notification_digests in exclusive mode");

    const posting = post(server, anOcn("KILL0002"));
    await eventually(async () => {
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'test service' and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBe(1);
    });
    const refused = await posting;
    await admin.query("rollback");
    await admin.end();

    expect(refused.status).toBe(503);
    expect((await post(server, anOcn("KILL0002"))).status).toBe(200);
    const { rows } = await db.database.pool.query(
      "select receipts from skedchange.notification_digests order by received_at",
    );
    expect(rows).toEqual([{ receipts: 1 }, { receipts: 1 }]);
    await db.drop();
  });
});

describe("stopping", () => {
  test("responds to what was begun, refuses what comes later, and resolves when all is committed", async () => {
    const { store, recorded, letGo } = aStore({ hold: true });
    server = await start(store);
    const begun = post(server, anOcn("DRAIN001"));
    await eventually(() => expect(server.receiver.backlogBytes()).toBeGreaterThan(0));

    const drained = server.receiver.drain();
    const refused = await post(server, anOcn("DRAIN002"));
    letGo();
    await drained;

    expect(refused.status).toBe(503);
    expect(refused.headers.get("connection")).toBe("close");
    expect(await refused.json()).toMatchObject({ code: "receiver.stopping" });
    expect(recorded).toHaveLength(1);
    expect((await begun).status).toBe(200);
  });

  test("does not wait for a body that goes on arriving slowly", async () => {
    const { store, recorded } = aStore();
    server = await start(store);
    const connection = openConnection(server);
    connection.write(head({ Expect: "100-continue", "Content-Length": "100" }));
    await eventually(() => expect(connection.received()).toContain("100 Continue"));

    await server.receiver.drain();

    await eventually(() => expect(connection.isClosed()).toBe(true));
    expect(connection.received()).toContain('"code":"receiver.stopping"');
    expect(recorded).toEqual([]);
  });
});
