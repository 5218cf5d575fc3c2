import { readdir, readFile } from "node:fs/promises";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../src/store/database/sql.ts";
import { notificationPlace } from "../../../src/store/notifications/notification-reader.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openAllPending } from "../../harness/notifications.ts";
import {
  anOcn,
  basic,
  bearer,
  newToken,
  oldToken,
  password,
  post,
  type ReceiverServer,
  roomyLimits,
  startReceiver,
  username,
} from "./receiver-server.ts";

const acknowledgement = {
  AcknowledgeResponse: { Status: "OK", Message: "Involuntary schedule change response received" },
};

let db: TestDatabase;
let server: ReceiverServer;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startReceiver(createNotificationStore(db.database));
});
afterAll(async () => {
  await server.close();
  await db.drop();
});

async function expectProblem(response: Response, status: number, code: string): Promise<Record<string, unknown>> {
  const document = (await response.json()) as Record<string, unknown>;
  expect({ status: response.status, code: document.code }).toEqual({ status, code });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expectNeitherCachedNorSniffed(response);
  expect(document).toMatchObject({ type: `urn:skedchange:problem:${code}`, status });
  return document;
}

function expectNeitherCachedNorSniffed({ headers }: Response): void {
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
}

async function countNotifications(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from skedchange.notifications`.execute(
    db.database.connection,
  );
  return rows[0]!.count;
}

interface StoredNotification {
  readonly id: string;
  readonly source: string;
  readonly state: string;
  readonly content_type: string | null;
  readonly problem: { readonly code: string; readonly path: string; readonly message: string } | null;
  readonly text: string;
  readonly receipts: number;
}

async function newestNotification(): Promise<StoredNotification> {
  const { rows } = await sql<{
    id: string;
    source: string;
    state: string;
    content_type: string | null;
    problem: StoredNotification["problem"];
    body: Buffer;
    body_encoding: string;
    key_id: string | null;
    receipts: number;
  }>`
    select n.*, d.receipts from skedchange.notifications n
    join skedchange.notification_digests d on d.notification_id = n.id
    order by n.received_at desc, n.id desc limit 1
  `.execute(db.database.connection);
  const { body, body_encoding, key_id, ...row } = rows[0]!;
  const encrypted = { body, bodyEncoding: body_encoding, keyId: key_id };
  return {
    ...row,
    text: (await db.database.encryption.open(encrypted, notificationPlace(row.id))).toString("utf8"),
  };
}

async function casesOf(
  orderId: string,
): Promise<readonly { state: string; due: boolean; wake: number; gds_booking_references: string[] }[]> {
  await openAllPending(db.database);
  const { rows } = await sql<{ state: string; due: boolean; wake: number; gds_booking_references: string[] }>`
    select state, due_at <= now() as due, wake, gds_booking_references from skedchange.cases
    where order_id = ${orderId} order by opened_at
  `.execute(db.database.connection);
  return rows;
}

describe("a usable notification", () => {
  test("is acknowledged, stored byte for byte, and opens a case that is due", async () => {
    const body = anOcn("NEW00001").replace("{", "{ \n ");

    const response = await post(server, body);

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expectNeitherCachedNorSniffed(response);
    expect(await response.json()).toEqual(acknowledgement);
    expect(await newestNotification()).toMatchObject({
      source: "default",
      state: "accepted",
      content_type: "application/json",
      problem: null,
      text: body,
      receipts: 1,
    });
    expect(await casesOf("NEW00001")).toEqual([
      { state: "received", due: true, wake: 0, gds_booking_references: ["LHSKD1"] },
    ]);
  });

  test("posted twice is one notification with two receipts", async () => {
    const before = await countNotifications();

    const first = await post(server, anOcn("TWICE001"));
    const second = await post(server, anOcn("TWICE001"));

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.json()).toEqual(acknowledgement);
    expect(await countNotifications()).toBe(before + 1);
    expect((await newestNotification()).receipts).toBe(2);
    expect(await casesOf("TWICE001")).toMatchObject([{ state: "received", wake: 0 }]);
  });

  test("is acknowledged on the path of its source, which keeps it apart from the same bytes of another one", async () => {
    const body = anOcn("SOURCE01");

    const asDefault = await post(server, body, {}, "/ocn/default");
    const asLenient = await post(server, body, { authorization: bearer("lenient-token") }, "/ocn/lenient");

    expect([asDefault.status, asLenient.status]).toEqual([200, 200]);
    expect(await newestNotification()).toMatchObject({ source: "lenient", receipts: 1 });
    expect(await casesOf("SOURCE01")).toHaveLength(2);
  });

  test.each(["application/json; charset=utf-8", "application/vnd.gateway+json", "APPLICATION/JSON"])(
    "may be declared as %s",
    async (type) => {
      expect((await post(server, anOcn("TYPE0001"), { "content-type": type })).status).toBe(200);
    },
  );

  test.each([
    ["identity", (body: Buffer) => body],
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
  ] as const)("may come as %s, and is stored as it was before", async (encoding, compress) => {
    const body = anOcn(`ENC${encoding.replace("-", "")}${compress.name.length}`);

    const response = await post(server, compress(Buffer.from(body)), { "content-encoding": encoding });

    expect(response.status).toBe(200);
    expect((await newestNotification()).text).toBe(body);
  });
});

describe("each sample", () => {
  test("is acknowledged with Basic and with Bearer, as one notification with two receipts", async () => {
    const folder = new URL("../../../samples/", import.meta.url);
    const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    expect(names).toHaveLength(5);
    for (const name of names) {
      const body = await readFile(new URL(name, folder));
      for (const authorization of [basic(), bearer()]) {
        const response = await post(server, body, { authorization });
        expect({ name, status: response.status, body: await response.json() }).toEqual({
          name,
          status: 200,
          body: acknowledgement,
        });
      }
      const stored = await newestNotification();
      expect(stored).toMatchObject({ state: "accepted", receipts: 2, text: body.toString("utf8") });
    }
  });
});

describe("credentials", () => {
  test.each([
    ["a password with colons and Unicode", basic()],
    ["the old token", bearer(oldToken)],
    ["the new token", bearer(newToken)],
    ["a scheme in capitals", basic().replace("Basic", "BASIC")],
    ["a scheme in small letters", bearer().replace("Bearer", "bearer")],
  ])("are accepted: %s", async (_, authorization) => {
    expect((await post(server, anOcn("CRED0001"), { authorization })).status).toBe(200);
  });

  test.each([
    ["a wrong password", basic(username, "wrong")],
    ["a password cut at its second colon", basic(username, password.split(":").slice(0, 2).join(":"))],
    ["an empty password", basic(username, "")],
    ["a wrong user name with the right password", basic("someone", password)],
    ["no colon", `Basic ${Buffer.from("gateway").toString("base64")}`],
    ["no base64", "Basic EncryptionKey!"],
    ["nothing after the scheme", "Basic"],
    ["an unknown scheme", `Digest ${newToken}`],
    ["a token as a password of Basic", basic("", newToken)],
  ])("are refused: %s", async (_, authorization) => {
    const before = await countNotifications();

    const response = await post(server, anOcn("CRED0002"), { authorization });

    await expectProblem(response, 401, "receiver.unauthorized");
    expect(response.headers.get("www-authenticate")).toBe(
      'Basic realm="skedchange", charset="UTF-8", Bearer realm="skedchange"',
    );
    expect(await countNotifications()).toBe(before);
  });

  test.each([
    ["an unknown token", bearer("unknown")],
    ["two tokens", bearer(`${oldToken} ${newToken}`)],
    ["no token", "Bearer"],
  ])("are refused as an invalid token: %s", async (_, authorization) => {
    const response = await post(server, anOcn("CRED0003"), { authorization });

    await expectProblem(response, 401, "receiver.unauthorized");
    expect(response.headers.get("www-authenticate")).toBe(
      'Basic realm="skedchange", charset="UTF-8", Bearer realm="skedchange", error="invalid_token", error_description="The token is malformed or not accepted here"',
    );
  });

  test("may be one exact header value, byte for byte", async () => {
    const authorization = Buffer.from("EncryptionKey#1 äß", "utf8").toString("latin1");

    const right = await post(server, anOcn("EXACT001"), { authorization }, "/ocn/raw");
    const wrong = await post(server, anOcn("EXACT001"), { authorization: "EncryptionKey#1" }, "/ocn/raw");

    expect(right.status).toBe(200);
    await expectProblem(wrong, 401, "receiver.unauthorized");
    expect(wrong.headers.get("www-authenticate")).toBe('Exact realm="skedchange"');
  });

  test("of one source do not open another one", async () => {
    const response = await post(server, anOcn("CRED0004"), { authorization: bearer() }, "/ocn/lenient");

    await expectProblem(response, 401, "receiver.unauthorized");
    expect(response.headers.get("www-authenticate")).toContain('Bearer realm="skedchange", error="invalid_token"');
  });

  test.each(["/ocn?access_token=", "/ocn?a=1&ACCESS%5FTOKEN="])(
    "in the URL are refused, even right ones, and appear nowhere: %s",
    async (path) => {
      const before = await countNotifications();

      const response = await post(server, anOcn("URL00001"), {}, `${path}${newToken}`);

      const document = await expectProblem(response, 400, "receiver.token_in_url");
      expect(JSON.stringify(document)).not.toContain(newToken);
      expect(await countNotifications()).toBe(before);
      expect(JSON.stringify(server.lines())).not.toContain(newToken);
    },
  );
});

describe("a source that does not exist", () => {
  test("responds to an unauthenticated caller as the default source does", async () => {
    const strange = { authorization: basic("stranger", "x") };

    const unknown = await post(server, anOcn("SRC00001"), strange, "/ocn/nobody");
    const known = await post(server, anOcn("SRC00001"), strange, "/ocn/default");

    expect(unknown.headers.get("www-authenticate")).toBe(known.headers.get("www-authenticate"));
    expect(await expectProblem(unknown, 401, "receiver.unauthorized")).toEqual(await known.json());
  });

  test("is named as unknown to who holds the default source's credentials", async () => {
    await expectProblem(await post(server, anOcn("SRC00002"), {}, "/ocn/nobody"), 404, "receiver.unknown_source");
  });

  test("is nothing to a path that cannot be decoded", async () => {
    await expectProblem(await post(server, anOcn("SRC00003"), {}, "/ocn/%zz"), 400, "receiver.malformed_path");
  });
});

describe("a body that is no usable notification", () => {
  test.each([
    ["not JSON", "<OrderViewRS/>", 400, "ocn.not_json"],
    ["empty", "", 400, "ocn.not_json"],
    ["JSON without an order", `{"OrderViewRS":{"Order":[]}}`, 422, undefined],
    ["JSON of another kind", `[1,2,3]`, 422, undefined],
  ])("is quarantined and refused when it is %s", async (_, body, status, code) => {
    const response = await post(server, body);

    const document = (await response.json()) as Record<string, unknown>;
    const stored = await newestNotification();
    expect(response.status).toBe(status);
    if (code !== undefined) expect(document.code).toBe(code);
    expect(document).toMatchObject({
      code: stored.problem?.code,
      path: stored.problem?.path,
      notificationId: stored.id,
    });
    expect(stored).toMatchObject({ state: "quarantined", text: body });
  });

  test("is quarantined and acknowledged when its source is set so", async () => {
    const response = await post(server, "no json", { authorization: bearer("lenient-token") }, "/ocn/lenient");

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(acknowledgement);
    expect(await newestNotification()).toMatchObject({ source: "lenient", state: "quarantined", text: "no json" });
  });

  test("is quarantined when it names more orders than one notification may", async () => {
    const naming = (prefix: string, count: number): string => {
      const orders = Array.from({ length: count }, (_, index) => ({ OrderID: `${prefix}${index}` }));
      return JSON.stringify({ OrderViewRS: { Order: orders } });
    };
    const narrow = await startReceiver(createNotificationStore(db.database), { limits: { orders: 3 } });
    try {
      expect((await post(narrow, naming("MANY-A", 3))).status).toBe(200);
      expect(await newestNotification()).toMatchObject({ state: "accepted" });

      const document = await expectProblem(await post(narrow, naming("MANY-B", 4)), 422, "ocn.too_many_orders");
      expect(document.path).toBe("/OrderViewRS/Order");
      expect(document.detail).toContain("raise OCN_ORDER_LIMIT");
      expect(await newestNotification()).toMatchObject({ state: "quarantined", text: naming("MANY-B", 4) });

      const lenient = { authorization: bearer("lenient-token") };
      expect((await post(narrow, naming("MANY-C", 4), lenient, "/ocn/lenient")).status).toBe(200);
      expect(await newestNotification()).toMatchObject({
        source: "lenient",
        state: "quarantined",
        problem: { code: "ocn.too_many_orders" },
      });

      await openAllPending(db.database);
      const { rows } = await db.database.pool.query(
        "select order_id from skedchange.orders where order_id like 'MANY-%' order by order_id",
      );
      expect(rows.map((row) => row.order_id)).toEqual(["MANY-A0", "MANY-A1", "MANY-A2"]);
    } finally {
      await narrow.close();
    }
  });

  test("is quarantined when its compression is cut short", async () => {
    const compressed = gzipSync(anOcn("CUT00001"));

    const response = await post(server, compressed.subarray(0, -4), { "content-encoding": "gzip" });

    await expectProblem(response, 400, "receiver.body_not_inflatable");
  });

  test("is quarantined when the database cannot hold what it names", async () => {
    const real = createNotificationStore(db.database);
    const naming = await startReceiver({
      // The contract lets no such OrderID through; this stands for what nobody has thought of.
      recordBatch: (batch) =>
        real.recordBatch(
          batch.map((row) => ({
            ...row,
            orders: row.orders.map((order) => ({ ...order, orderId: `${order.orderId}\0` })),
          })),
        ),
    });
    const body = anOcn("NUL00001");

    const response = await post(naming, body);
    await naming.close();

    const document = await expectProblem(response, 422, "receiver.not_storable");
    expect(await newestNotification()).toMatchObject({ id: document.notificationId, state: "quarantined", text: body });
  });
});

describe("the limit of the body", () => {
  const atLimit = anOcn("LIMIT001") + " ".repeat(roomyLimits.bodyBytes - anOcn("LIMIT001").length);

  test.each([
    ["as it is", (text: string) => Buffer.from(text), {}],
    ["inflated", (text: string) => gzipSync(text), { "content-encoding": "gzip" }],
  ])("takes the last byte and refuses the next: %s", async (_, encode, headers) => {
    const before = await countNotifications();

    const tooLong = await post(server, encode(`${atLimit} `), headers);
    const longest = await post(server, encode(atLimit), headers);

    const document = await expectProblem(tooLong, 413, "receiver.body_too_long");
    expect(document.limitBytes).toBe(roomyLimits.bodyBytes);
    expect(longest.status).toBe(200);
    expect(await countNotifications()).toBeLessThanOrEqual(before + 1);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["deflate", deflateSync],
  ] as const)("stops a small %s body that inflates to 100 MB, long before its end", async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(100 * 1024 * 1024));
    const peakBefore = process.memoryUsage().arrayBuffers;

    const response = await post(server, bomb.subarray(0, roomyLimits.bodyBytes), { "content-encoding": encoding });

    await expectProblem(response, 413, "receiver.body_too_long");
    expect(process.memoryUsage().arrayBuffers - peakBefore).toBeLessThan(20 * 1024 * 1024);
  });
});

describe("what cannot be read", () => {
  test.each(["GET", "PUT", "DELETE", "OPTIONS"])("is refused when it comes with %s", async (method) => {
    const response = await fetch(`${server.url}/ocn`, { method });

    await expectProblem(response, 405, "receiver.method_not_allowed");
    expect(response.headers.get("allow")).toBe("POST");
  });
});

describe("the log and the metrics", () => {
  test("contain ids and sizes, and no credentials or bodies", async () => {
    await post(server, anOcn("LOG00001"), { authorization: basic() });

    const line = server.lines().at(-1)!;
    expect(line).toMatchObject({
      level: "info",
      message: "notification.received",
      fields: { source: "default", status: 200, outcome: "new", receipts: 1, orderIds: ["LOG00001"] },
    });
    const everything = JSON.stringify(server.lines());
    expect(everything).not.toContain("GdsBookingReference");
    for (const secret of [password, newToken, oldToken, basic().slice(6)]) expect(everything).not.toContain(secret);
    const metrics = await server.metrics();
    expect(metrics).toContain('skedchange_notifications_total{source="default",outcome="new"}');
    expect(metrics).toContain('skedchange_notifications_total{source="unknown",outcome="receiver.unknown_source"}');
  });
});
