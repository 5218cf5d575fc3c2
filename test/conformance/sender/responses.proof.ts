import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedReceiver, startReceiver } from "../../integration/sender/scripted-receiver.ts";
import { type Expected, type ExpectedNext, firstWait, type HostileBench, openHostileBench } from "./hostile-bench.ts";
import { acknowledgement, type Behaviour, rawResponse, writes, writesAndEnds } from "./hostile-receiver.ts";

let hostile: HostileBench;
/** Where redirects point to. Nothing may ever arrive there. */
let elsewhere: ScriptedReceiver;

beforeAll(async () => {
  hostile = await openHostileBench();
  elsewhere = await startReceiver();
});
beforeEach(() => hostile.open());
afterEach(() => hostile.clear());
afterAll(async () => {
  await elsewhere.close();
  await hostile.close();
});

const delivered: Expected = { outcome: "delivered", httpStatus: 200, errorCode: null, next: { kind: "delivered" } };

function refused(httpStatus: number, errorCode: string, next: ExpectedNext = firstWait): Expected {
  return { outcome: "refused", httpStatus, errorCode, next };
}

describe("a 2xx response that acknowledges nothing", () => {
  const gzip = { "Content-Encoding": "gzip", "Content-Type": "application/json" };
  test.each<[string, number, string | Buffer, Record<string, string>?]>([
    ["is a page", 200, "<html><body>Please log in</body></html>", { "Content-Type": "text/html" }],
    ["is a page that calls itself JSON", 200, "<html></html>", { "Content-Type": "application/json" }],
    ["is empty", 200, ""],
    ["is 204", 204, "", {}],
    ["is a bare OK", 200, "OK"],
    ["is null", 200, "null"],
    ["has the Status at its top", 200, `{"Status":"OK"}`],
    ["has no Status", 200, `{"AcknowledgeResponse":{"Message":"OK"}}`],
    ["has the Status ERROR", 200, `{"AcknowledgeResponse":{"Status":"ERROR"}}`],
    ["has the Status NOT OK", 200, `{"AcknowledgeResponse":{"Status":"NOT OK"}}`],
    ["has a Status that is no text", 200, `{"AcknowledgeResponse":{"Status":true}}`],
    ["has its acknowledgement in a text", 200, JSON.stringify({ AcknowledgeResponse: `{"Status":"OK"}` })],
    ["has text behind its JSON", 200, `${acknowledgement} thanks`],
    ["breaks off within its JSON", 200, acknowledgement.slice(0, -1)],
    ["is deep beyond reason", 200, "[".repeat(60_000)],
    ["is in UTF-16", 200, Buffer.from(acknowledgement, "utf16le")],
    ["is compressed unasked", 200, gzipSync(acknowledgement), gzip],
    ["is a gzip bomb", 200, gzipSync(Buffer.alloc(32 * 2 ** 20, " ")).subarray(0, 60_000), gzip],
    ["is 202 without a body", 202, ""],
  ])("because it %s is a failure", async (_what, status, body, headers = {}) => {
    const heapBefore = process.memoryUsage().rss;
    await hostile.meets(writes(rawResponse(status, body, headers)), refused(status, "sender.not_acknowledged"));
    expect(process.memoryUsage().rss - heapBefore).toBeLessThan(256 * 2 ** 20);
  });

  test("counts at a recipient whose rule is `any-success`", async () => {
    const recipient = { acknowledgement: "any-success" } as const;
    await hostile.meets(writes(rawResponse(204)), { ...delivered, httpStatus: 204 }, { recipient });
  });
});

describe("an acknowledgement", () => {
  const open = "HTTP/1.1 200 OK\r\n";
  test.each<[string, Behaviour]>([
    ["with its Status in odd case", writes(rawResponse(200, `{"acknowledgeresponse":{"STATUS":" oK "}}`))],
    ["with a byte order mark", writes(rawResponse(200, `\uFEFF${acknowledgement}`))],
    ["with white space around it", writes(rawResponse(200, `\r\n\t ${acknowledgement} \n`))],
    ["that calls itself a page", writes(rawResponse(200, acknowledgement, { "Content-Type": "text/html" }))],
    [
      "with members that nobody knows",
      writes(rawResponse(200, `{"id":1e400,"AcknowledgeResponse":{"Status":"OK","x":[{}]}}`)),
    ],
    ["byte by byte", { onRequest: (socket) => void writeByteByByte(socket, rawResponse(200, acknowledgement)) }],
    [
      "in chunks with extensions and trailers",
      writes(
        `${open}Transfer-Encoding: chunked\r\n\r\n${acknowledgement.length.toString(16)};a=b\r\n${acknowledgement}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      ),
    ],
    [
      "after 103 Early Hints",
      writes("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", rawResponse(200, acknowledgement)),
    ],
    ["after 102 Processing", writes("HTTP/1.1 102 Processing\r\n\r\n", rawResponse(200, acknowledgement))],
    ["in HTTP/1.0", writesAndEnds(rawResponse(200, acknowledgement, {}, "HTTP/1.0"))],
    ["in HTTP/1.0 without a length", writesAndEnds("HTTP/1.0 200 OK\r\n\r\n", acknowledgement)],
    ["that ends with the connection", writesAndEnds(`${open}Connection: close\r\n\r\n`, acknowledgement)],
    ["after which the recipient closes its half", writesAndEnds(rawResponse(200, acknowledgement))],
    [
      "with a reason that is not OK",
      writes(
        `HTTP/1.1 200 Internal Server Error\r\nContent-Length: ${acknowledgement.length}\r\n\r\n${acknowledgement}`,
      ),
    ],
    ["without a reason", writes(`HTTP/1.1 200\r\nContent-Length: ${acknowledgement.length}\r\n\r\n${acknowledgement}`)],
  ])("%s counts", async (_what, behaviour) => {
    await hostile.meets(behaviour, delivered);
  });

  test("with 201 counts as well", async () => {
    await hostile.meets(writes(rawResponse(201, acknowledgement)), { ...delivered, httpStatus: 201 });
  });

  test("with 500 does not count", async () => {
    await hostile.meets(writes(rawResponse(500, acknowledgement)), refused(500, "sender.refused"));
  });
});

describe("a redirect", () => {
  test.each([300, 301, 302, 303, 304, 305, 307, 308])("with %d is not followed", async (status) => {
    const headers = { Location: elsewhere.url };
    await hostile.meets(writes(rawResponse(status, "", headers)), refused(status, "sender.redirected"));
    expect(elsewhere.posts).toEqual([]);
  });
});

describe("the status", () => {
  test.each([
    401, 402, 403, 404, 405, 406, 407, 408, 409, 418, 421, 423, 425, 429, 431, 451, 500, 501, 502, 503, 504, 599, 999,
  ])("%d is tried again by the schedule", async (status) => {
    await hostile.meets(writes(rawResponse(status, "sorry")), refused(status, "sender.refused"));
  });

  test.each([400, 413, 415, 422])("%d ends the delivery at once, and frees its lane", async (status) => {
    const next = { kind: "dead", reason: "sender.rejected" } as const;
    await hostile.meets(writes(rawResponse(status)), refused(status, "sender.rejected", next));
  });

  test("410 disables the recipient, and what is pending arrives when a person resumes it", async () => {
    const next = { kind: "disabled", reason: "sender.recipient_gone" } as const;
    await hostile.meets(writes(rawResponse(410)), refused(410, "sender.recipient_gone", next));
  });

  test("413 before the body was read ends the delivery at once", async () => {
    const next = { kind: "dead", reason: "sender.rejected" } as const;
    const behaviour: Behaviour = {
      onHead: (socket) => void socket.write(rawResponse(413, "", { Connection: "close" })),
    };
    await hostile.meets(behaviour, refused(413, "sender.rejected", next));
  });
});

describe("a Retry-After", () => {
  const hourMs = 3_600_000;
  const inHttpForm = (afterMs: number): string => new Date(hostile.bench.now().getTime() + afterMs).toUTCString();
  /** What the header says, how long the delivery waits, and whether the other orders of the recipient wait as well. */
  const forms: readonly (readonly [string, () => string, number, boolean])[] = [
    ["that is a date", () => inHttpForm(120_000), 120_000, true],
    ["of seconds", () => "120", 120_000, true],
    ["shorter than the schedule", () => "1", 5_000, true],
    ["of 0 seconds", () => "0", 5_000, false],
    ["beyond the cap", () => "864000", 10 * hourMs, true],
    ["of more digits than a number has", () => "9".repeat(400), 10 * hourMs, true],
    ["that is a date in the past", () => inHttpForm(-hourMs), 5_000, false],
    ["that is a date beyond the cap", () => inHttpForm(48 * hourMs), 10 * hourMs, true],
    ["that is a date that does not exist", () => "Mon, 99 Foo 2026 10:00:00 GMT", 5_000, false],
    ["below 0", () => "-120", 5_000, false],
    ["with a fraction", () => "1.5", 5_000, false],
    ["in words", () => "soon", 5_000, false],
    ["that is empty", () => "", 5_000, false],
  ];
  const throttling = [429, 502, 503, 504].flatMap((status) =>
    forms.map(([what, form, waitMs, holds]) => [what, status, form, waitMs, holds] as const),
  );

  test.each(throttling)(
    "%s with %d is kept to, up to the cap, by everything for the recipient",
    async (_what, status, form, waitMs, holds) => {
      // A date has whole seconds, and the announcement takes the clock a millisecond further.
      hostile.bench.pass(999 - (hostile.bench.now().getTime() % 1_000));
      const behaviour: Behaviour = {
        onRequest: (socket) => void socket.write(rawResponse(status, "", { "Retry-After": form() })),
      };
      await hostile.meets(behaviour, refused(status, "sender.refused", { kind: "retry", waitMs, holds }));
    },
  );

  test("with 500 is kept to by its own delivery only", async () => {
    const next: ExpectedNext = { kind: "retry", waitMs: 600_000 };
    await hostile.meets(writes(rawResponse(500, "", { "Retry-After": "600" })), refused(500, "sender.refused", next));
  });

  test("that comes twice counts as it came first", async () => {
    const text = "HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n";
    await hostile.meets(writes(text), refused(503, "sender.refused", { kind: "retry", waitMs: 60_000, holds: true }));
  });
});

async function writeByteByByte(
  socket: Parameters<NonNullable<Behaviour["onRequest"]>>[0],
  bytes: Buffer,
): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of bytes) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
}
