import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliverAll } from "../../integration/sender/sender-bench.ts";
import { type Expected, firstWait, type HostileBench, openHostileBench, shortDeadline } from "./hostile-bench.ts";
import {
  acknowledgement,
  acknowledges,
  type Behaviour,
  drips,
  pours,
  rawResponse,
  writes,
  writesAndEnds,
  writesAndResets,
} from "./hostile-receiver.ts";

let hostile: HostileBench;

beforeAll(async () => {
  hostile = await openHostileBench();
});
beforeEach(() => hostile.open());
afterEach(() => hostile.clear());
afterAll(() => hostile.close());

const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n`;
const length = `Content-Length: ${acknowledgement.length}\r\n`;
const late: Expected = { outcome: "failed", httpStatus: null, errorCode: "sender.timeout", next: firstWait };
const lost: Expected = { outcome: "failed", httpStatus: null, errorCode: "sender.connection_lost", next: firstWait };
const malformed: Expected = {
  outcome: "failed",
  httpStatus: null,
  errorCode: "sender.answer_malformed",
  next: firstWait,
};
const delivered: Expected = { outcome: "delivered", httpStatus: 200, errorCode: null, next: { kind: "delivered" } };
const tooLarge: Expected = {
  outcome: "refused",
  httpStatus: 200,
  errorCode: "sender.answer_too_large",
  next: firstWait,
};

/** More than the buffers of both sockets hold. */
const bigBody = `{"filler":"${"x".repeat(8 * 2 ** 20)}"}`;

describe("a recipient that takes its time", () => {
  test.each<[string, Behaviour, Expected]>([
    ["says nothing after it accepted", { onAccept: () => undefined }, late],
    ["says nothing after the head of the request", { onHead: () => undefined }, late],
    ["says nothing after the whole request", {}, late],
    ["drips its status line", drips("H", ""), late],
    ["drips a header line without end", drips(`${head}X-Slow: `, "a"), late],
    ["drips 103 Early Hints without end", drips("", "HTTP/1.1 103 Early Hints\r\n\r\n"), late],
    ["sends the head of its response and stops", writes(`${head}${length}\r\n`), { ...late, httpStatus: 200 }],
    ["drips its body", drips(`${head}Content-Length: 5000\r\n\r\n`, " "), { ...late, httpStatus: 200 }],
    [
      "never ends its chunks",
      drips(`${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n"),
      { ...late, httpStatus: 200 },
    ],
    [
      "sends one byte less than it announced",
      writes(`${head}${length}\r\n${acknowledgement.slice(0, -1)}`),
      { ...late, httpStatus: 200 },
    ],
  ])("and %s is left at the deadline", async (_what, behaviour, expected) => {
    await hostile.meets(behaviour, expected, shortDeadline);
  });

  test("and never reads is left at the deadline", async () => {
    // Long enough for the second try to deliver so much.
    const settings = { attemptDeadlineMs: 4_000 };
    await hostile.meets({ onAccept: (socket) => void socket.pause() }, late, { settings, body: bigBody });
  });
});

describe("a recipient that breaks the connection", () => {
  test.each<[string, Behaviour, Expected]>([
    ["resets it on accepting", { onAccept: (socket) => void socket.resetAndDestroy() }, lost],
    ["closes it on accepting", { onAccept: (socket) => void socket.end() }, lost],
    ["resets it after the head of the request", { onHead: (socket) => void socket.resetAndDestroy() }, lost],
    ["resets it after the request", { onRequest: (socket) => void socket.resetAndDestroy() }, lost],
    ["closes its half after the request", { onRequest: (socket) => void socket.end() }, lost],
    ["resets it in its status line", writesAndResets("HTTP/1.1 2"), lost],
    ["resets it in its headers", writesAndResets(head), lost],
    ["resets it after its headers", writesAndResets(`${head}${length}\r\n`), { ...lost, httpStatus: 200 }],
    ["resets it in its response", writesAndResets(`${head}${length}\r\n{"Ack`), { ...lost, httpStatus: 200 }],
    [
      "announces a longer response than it sends",
      writesAndEnds(`${head}Content-Length: 500\r\n\r\n${acknowledgement}`),
      { ...lost, httpStatus: 200 },
    ],
    [
      "ends in the middle of a chunk",
      writesAndEnds(`${head}Transfer-Encoding: chunked\r\n\r\n40\r\n{"Ack`),
      { ...lost, httpStatus: 200 },
    ],
    [
      "ends without the last chunk",
      writesAndEnds(
        `${head}Transfer-Encoding: chunked\r\n\r\n${acknowledgement.length.toString(16)}\r\n${acknowledgement}\r\n`,
      ),
      { ...lost, httpStatus: 200 },
    ],
    [
      "sends 101 Switching Protocols",
      writes("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"),
      lost,
    ],
  ])("because it %s is tried again", async (_what, behaviour, expected) => {
    await hostile.meets(behaviour, expected);
  });

  test("in the middle of a big request is tried again, with the same bytes", async () => {
    const behaviour: Behaviour = { onAccept: (socket) => void socket.once("data", () => socket.resetAndDestroy()) };
    await hostile.meets(behaviour, lost, { body: bigBody });
  });

  test("once it has responded is done", async () => {
    await hostile.meets(writesAndResets(rawResponse(200, acknowledgement).toString()), delivered);
  });

  test("between two deliveries is sent the second one on another connection, at its first try", async () => {
    const { bench, receiver } = hostile;
    const sender = bench.createSender();
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    const closed = new Promise<void>((resolve) => {
      receiver.behaviour = {
        onRequest: (socket) => {
          socket.on("close", resolve);
          // The sender must have seen the end before it sends again.
          socket.write(rawResponse(200, acknowledgement), () => setTimeout(() => socket.end(), 20));
        },
      };
    });
    await bench.announce(sender);
    await deliverAll(sender);
    await closed;
    receiver.behaviour = acknowledges;
    await bench.announce(sender);
    await deliverAll(sender);

    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
    expect(await bench.newestDelivery({ recipientId })).toMatchObject({ state: "delivered", attempts: 1 });
  });

  test("that was kept alive, as the next request arrives, is tried again by the schedule and not behind its back", async () => {
    const { bench, receiver } = hostile;
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    await bench.announce(sender);
    await deliverAll(sender);
    receiver.behaviour = { onRequest: (socket) => void socket.resetAndDestroy() };
    await bench.announce(sender);
    await deliverAll(sender);

    expect(receiver.requests).toHaveLength(2);
    expect(receiver.connections).toBe(1);
    expect(await bench.newestDelivery()).toMatchObject({ state: "pending", attempts: 1, failures: 1 });
  });
});

describe("a recipient that does not speak HTTP as it should", () => {
  test.each<[string, Behaviour, Expected]>([
    ["greets like a mail server", writes("220 mail.example.com ESMTP\r\n"), malformed],
    ["speaks HTTP/2 unasked", writes(Buffer.from("000012040000000000000300000064", "hex")), malformed],
    ["has a status that is no number", writes("HTTP/1.1 OK OK\r\n\r\n"), malformed],
    ["sends headers without end", pours(head, `X-Filler: ${"x".repeat(1_000)}\r\n`), malformed],
    ["sends one header line without end", pours(`${head}X-Filler: `, "x".repeat(1_000)), malformed],
    ["has a header line without a colon", writes(`${head}nonsense\r\n${length}\r\n${acknowledgement}`), malformed],
    [
      "has a Content-Length that is no number",
      writes(`${head}Content-Length: many\r\n\r\n${acknowledgement}`),
      malformed,
    ],
    ["has a negative Content-Length", writes(`${head}Content-Length: -5\r\n\r\n${acknowledgement}`), malformed],
    [
      "has two different Content-Lengths",
      writes(`${head}${length}Content-Length: 3\r\n\r\n${acknowledgement}`),
      malformed,
    ],
    [
      "has both a Content-Length and chunks",
      writes(`${head}${length}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      malformed,
    ],
    [
      "has a chunk whose size is no number",
      writes(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${acknowledgement}`),
      { ...malformed, httpStatus: 200 },
    ],
  ])("and %s is tried again", async (_what, behaviour, expected) => {
    await hostile.meets(behaviour, expected);
  });
});

describe("a recipient that sends more than it should", () => {
  test.each<[string, Behaviour]>([
    ["a body without end", pours(`${head}\r\n`, "x".repeat(4_096))],
    ["chunks without end", pours(`${head}Transfer-Encoding: chunked\r\n\r\n`, `1000\r\n${"x".repeat(4_096)}\r\n`)],
    ["a body one byte beyond the limit", writes(rawResponse(200, acknowledgement.padEnd(64 * 1_024 + 1)))],
  ])("with %s is read up to the limit", async (_what, behaviour) => {
    await hostile.meets(behaviour, tooLarge);
  });

  test("with an acknowledgement as long as the limit is taken at its word", async () => {
    await hostile.meets(writes(rawResponse(200, acknowledgement.padEnd(64 * 1_024))), delivered);
  });

  test("with bytes behind its acknowledgement is taken at its word", async () => {
    await hostile.meets(writes(rawResponse(200, acknowledgement), "garbage"), delivered);
  });

  test("with a second acknowledgement in advance does not acknowledge the next delivery by it", async () => {
    await hostile.meets(
      writes(Buffer.concat([rawResponse(200, acknowledgement), rawResponse(200, acknowledgement)])),
      delivered,
    );
    expect(hostile.receiver.requests).toHaveLength(2);
  });
});
