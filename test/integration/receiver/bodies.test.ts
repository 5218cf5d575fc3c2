import { connect } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { createReprocess } from "../../../src/dashboard/reprocess-notification.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { notificationPlace } from "../../../src/store/notifications/notification-reader.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openAllPending } from "../../harness/notifications.ts";
import { anOcn, bearer, type ReceiverServer, roomyLimits, startReceiver } from "./receiver-server.ts";

/* What a sender says of its body is often wrong. Raw sockets, because `fetch` corrects or refuses some of it. */

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

interface PushResult {
  readonly status: number;
  readonly head: string;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Writes the head and the body in two pieces, so that the body arrives in several reads. */
function push(body: string | Buffer, headers: readonly string[], path = "/ocn"): Promise<PushResult> {
  const bytes = Buffer.from(body);
  const authorization = path === "/ocn" ? bearer() : bearer("lenient-token");
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    `Authorization: ${authorization}`,
    `Content-Length: ${bytes.length}`,
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(server.port, "127.0.0.1");
    const half = Math.floor(bytes.length / 2);
    socket.setNoDelay(true);
    socket.write(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes.subarray(0, half)]));
    setImmediate(() => socket.write(bytes.subarray(half)));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => {
      socket.end();
      const [top = "", text = "{}"] = Buffer.concat(chunks).toString().split("\r\n\r\n");
      resolve({
        status: Number(top.split(" ")[1]),
        head: top.toLowerCase(),
        document: JSON.parse(text) as Readonly<Record<string, unknown>>,
      });
    });
  });
}

async function newest(): Promise<{
  readonly id: string;
  readonly state: string;
  readonly problem: object | null;
  readonly text: string;
}> {
  const { rows } = await sql<{
    id: string;
    state: string;
    problem: object | null;
    body: Buffer;
    body_encoding: string;
    key_id: string | null;
  }>`select * from skedchange.notifications order by received_at desc, id desc limit 1`.execute(db.database.connection);
  const { id, state, problem, body, body_encoding: bodyEncoding, key_id: keyId } = rows[0]!;
  const bytes = await db.database.encryption.open({ body, bodyEncoding, keyId }, notificationPlace(id));
  return { id, state, problem, text: bytes.toString() };
}

async function ordersNamed(prefix: string): Promise<readonly string[]> {
  await openAllPending(db.database);
  const { rows } = await db.database.pool.query<{ order_id: string }>(
    "select order_id from skedchange.orders where order_id like $1 order by order_id",
    [`${prefix}%`],
  );
  return rows.map((row) => row.order_id);
}

let number = 0;
function nextOrder(): string {
  number += 1;
  return `BODY${String(number).padStart(4, "0")}`;
}

const types = [
  "application/json",
  "text/plain;charset=UTF-8",
  "text/json",
  "text/xml; charset=iso-8859-1",
  "application/xml",
  "application/x-www-form-urlencoded",
  "application/octet-stream",
  "application/json; charset=windows-949",
  "nonsense",
  null,
] as const;

/** What is declared, and how the body really comes. */
const encodings: readonly (readonly [string | null, (body: string) => Buffer])[] = [
  [null, Buffer.from],
  ["UTF-8", Buffer.from],
  ["utf8", Buffer.from],
  ["none", Buffer.from],
  ["identity, identity", Buffer.from],
  ["zstd", Buffer.from],
  ["gzip, gzip", Buffer.from],
  ["gzip", Buffer.from],
  ["br", Buffer.from],
  ["deflate", Buffer.from],
  ["gzip", gzipSync],
  ["identity, gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
];

function headersOf(type: string | null, encoding: string | null): readonly string[] {
  return [
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...(encoding === null ? [] : [`Content-Encoding: ${encoding}`]),
  ];
}

describe("JSON is read whatever is said of it", () => {
  test.each(encodings.map((entry, index) => [entry[0] ?? "nothing", index] as const))(
    "when its encoding is declared as %s (%i), under every media type",
    async (_, index) => {
      const [encoding, encode] = encodings[index]!;
      for (const type of types) {
        const orderId = nextOrder();
        // Long enough for several reads, and with characters of two and four bytes.
        const body = anOcn(orderId).replace("}]}}", `,"Note":"${"Zürich 🛫 ".repeat(2_000)}"}]}}`);

        const { status } = await push(encode(body), headersOf(type, encoding));

        expect({ type, encoding, status }).toEqual({ type, encoding, status: 200 });
        expect(await newest()).toMatchObject({ state: "accepted", problem: null, text: body });
      }
    },
  );

  test("up to the limit of the body, when it is not compressed as declared", async () => {
    const atLimit = anOcn(nextOrder()).padEnd(roomyLimits.bodyBytes);

    expect((await push(`${atLimit} `, headersOf("text/plain", "gzip"))).status).toBe(413);
    expect((await push(atLimit, headersOf("text/plain", "gzip"))).status).toBe(200);
  });

  test("but not before the sender has proved who it is", async () => {
    const response = await fetch(`${server.url}/ocn`, {
      method: "POST",
      headers: { "content-type": "text/plain", authorization: bearer("unknown") },
      body: anOcn(nextOrder()),
    });

    expect(response.status).toBe(401);
  });
});

describe("a list of order views", () => {
  test("is one notification of all their orders, and the same bytes are a further receipt", async () => {
    const body = `[${anOcn("LIST-A1")},${anOcn("LIST-A2")},${anOcn("LIST-A3", "OTHER1")}]`;

    expect((await push(body, headersOf("application/json", null))).status).toBe(200);
    const first = await newest();
    expect((await push(body, headersOf("text/plain", "UTF-8"))).status).toBe(200);

    expect(first).toMatchObject({ state: "accepted", text: body });
    expect((await newest()).id).toBe(first.id);
    expect(await ordersNamed("LIST-A")).toEqual(["LIST-A1", "LIST-A2", "LIST-A3"]);
  });

  test("is kept as a whole for one that cannot be used, with its path", async () => {
    const body = `[${anOcn("LIST-B1")},{"OrderViewRS":{"Order":[]}},${anOcn("LIST-B3")}]`;

    const { status, document } = await push(body, headersOf("application/json", null));

    expect({ status, ...document }).toMatchObject({ status: 422, code: "ocn.no_order", path: "/1/OrderViewRS/Order" });
    expect(await newest()).toMatchObject({ id: document["notificationId"], state: "quarantined", text: body });
    expect(await ordersNamed("LIST-B")).toEqual([]);
  });
});

const isXml = "It is XML. Send the order view as JSON.";
const isUtf16 = "It is in UTF-16. Send it in UTF-8.";
const xml = "<OrderViewRS><Order/></OrderViewRS>";
/** Other bytes each time: known ones keep the problem that they came with first. */
const anXml = (): string => xml.replace("<Order/>", `<Order><OrderID>${nextOrder()}</OrderID></Order>`);
const someText = (): string => `order ${nextOrder()} changed`;
const noType = "Notifications are sent as application/json.";
const noEncoding = "A body is sent as it is, or compressed once with gzip, br or deflate.";
const notInflatable = "The body is not compressed as its Content-Encoding says, or it is cut short.";

describe("what is no JSON is kept, with what it is", () => {
  test.each<[string, string | Buffer, string | null, string | null, number, string, string]>([
    [
      "XML",
      anXml(),
      "text/xml",
      null,
      415,
      "receiver.unsupported_content_type",
      `${noType} The body is not JSON in UTF-8. ${isXml}`,
    ],
    ["XML as JSON", anXml(), "application/json", null, 400, "ocn.not_json", isXml],
    ["XML without a type", anXml(), null, null, 400, "ocn.not_json", isXml],
    ["compressed XML", gzipSync(anXml()), "application/xml", "gzip", 415, "receiver.unsupported_content_type", isXml],
    [
      "XML in no encoding",
      anXml(),
      "application/json",
      "UTF-8",
      415,
      "receiver.unsupported_content_encoding",
      noEncoding,
    ],
    [
      "UTF-16",
      Buffer.from("\ufeff{}", "utf16le"),
      "application/json; charset=utf-16",
      null,
      400,
      "ocn.not_json",
      isUtf16,
    ],
    [
      "UTF-16 as text",
      Buffer.from("{}", "utf16le"),
      "text/plain",
      null,
      415,
      "receiver.unsupported_content_type",
      isUtf16,
    ],
    ["plain text", someText(), "text/plain", null, 415, "receiver.unsupported_content_type", noType],
    ["nothing", "", "text/plain", null, 415, "receiver.unsupported_content_type", "It is empty."],
    [
      "zstd",
      Buffer.from("28b52ffd00", "hex"),
      null,
      "zstd",
      415,
      "receiver.unsupported_content_encoding",
      "It is compressed with zstd.",
    ],
    ["gzip twice", gzipSync(gzipSync(anXml())), null, "gzip", 400, "ocn.not_json", "It is compressed with gzip."],
    [
      "gzip that nobody declared",
      gzipSync(anXml()),
      "application/json",
      null,
      400,
      "ocn.not_json",
      "It is compressed with gzip.",
    ],
    ["no gzip", someText(), "application/json", "gzip", 400, "receiver.body_not_inflatable", notInflatable],
    [
      "gzip cut short",
      gzipSync(anXml()).subarray(0, -4),
      null,
      "gzip",
      400,
      "receiver.body_not_inflatable",
      notInflatable,
    ],
  ])("%s", async (_, body, type, encoding, status, code, detail) => {
    const result = await push(body, headersOf(type, encoding));

    expect({ status: result.status, code: result.document["code"] }).toEqual({ status, code });
    expect(result.document).toMatchObject({ path: "", status });
    expect(result.document["detail"]).toContain(detail);
    expect(result.document["detail"]).toMatch(/ It is kept in quarantine\.$/);
    const stored = await newest();
    expect(stored).toMatchObject({ id: result.document["notificationId"], state: "quarantined", problem: { code } });
  });

  test("names the encodings that are accepted", async () => {
    const { head } = await push(xml, headersOf(null, "compress"));

    expect(head).toContain("accept-encoding: gzip, br, deflate");
  });

  test.each<[string, unknown, string]>([
    ["in a text", anOcn("HINT0001"), "The body is a JSON text inside a JSON text. Send the object itself."],
    [
      "in CloudEvents",
      { specversion: "1.0", data: JSON.parse(anOcn("HINT0002")) },
      "An order view was found under data.",
    ],
    ["in SNS", { Message: anOcn("HINT0003") }, "An order view was found as a JSON text under Message."],
  ])("and an order view %s is kept with where it is", async (_, body, hint) => {
    const { status, document } = await push(JSON.stringify(body), headersOf("text/plain; charset=UTF-8", null));

    expect({ status, code: document["code"] }).toEqual({ status: 422, code: "ocn.not_an_order_view" });
    expect(document["detail"]).toContain(hint);
    expect(await newest()).toMatchObject({ state: "quarantined", text: JSON.stringify(body) });
  });

  test.each([
    ["XML", xml, "text/xml", null],
    ["XML in no encoding", xml, "application/json", "UTF-8"],
    ["no gzip", "order changed", "application/json", "gzip"],
    ["an envelope", `{"data":${anOcn("LENIENT1")}}`, "text/plain", null],
  ])("and acknowledged when its source is set so: %s", async (_, body, type, encoding) => {
    const { status } = await push(body, headersOf(type, encoding), "/ocn/lenient");

    expect(status).toBe(200);
    expect(await newest()).toMatchObject({ state: "quarantined", text: body });
  });

  test.each([xml, "order changed", `{"data":${anOcn("AGAIN001")}}`])(
    "and says the same when it is reprocessed: %s",
    async (body) => {
      const result = await push(body, headersOf("text/plain", "zstd"));
      const reprocess = createReprocess({
        quarantine: createQuarantine(db.database, { clock: systemClock }),
        dialect,
        orderLimit: 500,
        logger: silentLogger,
      });

      const outcome = await reprocess(String(result.document["notificationId"]), {
        actor: "person:ana",
        tokenId: null,
        visible: null,
      });

      expect(outcome.outcome).toBe("unusable");
      const sentence = outcome.outcome === "unusable" ? outcome.problem.message : "";
      expect(result.document["detail"]).toContain(sentence);
    },
  );
});
