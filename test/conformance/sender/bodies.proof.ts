import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asTx, inTransaction } from "../../../src/store/database/transaction.ts";
import { deliverAll } from "../../integration/sender/sender-bench.ts";
import { type Expected, firstWait, type HostileBench, openHostileBench } from "./hostile-bench.ts";
import { acknowledges, rawResponse, writes } from "./hostile-receiver.ts";

let hostile: HostileBench;

beforeAll(async () => {
  hostile = await openHostileBench();
});
beforeEach(() => hostile.open());
afterEach(() => hostile.clear());
afterAll(() => hostile.close());

const refused: Expected = { outcome: "refused", httpStatus: 500, errorCode: "sender.refused", next: firstWait };

describe("the bytes that were announced arrive unchanged, at each try,", () => {
  test.each<[string, string]>([
    ["with a key that comes twice", `{"a":1,"a":2,"A":3}`],
    ["with numbers beyond a double", `{"n":12345678901234567890.10,"m":1e400,"z":-0.0,"p":1134.30}`],
    ["with escapes", String.raw`{"n":"M\u00fcller\/Stra\u00dfe \ud83d\ude00","lone":"\ud800"}`],
    ["with letters of many scripts", `{"n":"Müller 航班 رحلة 😀 e\u0301 \u2028"}`],
    ["with white space of its own", `\r\n { "a" :\t[ 1 , 2 ] } \n\n`],
    ["with a byte order mark", `\uFEFF{"a":1}`],
    ["with a key that pollutes prototypes", `{"__proto__":{"x":1},"constructor":{}}`],
    ["that are no JSON at all", "not json"],
    ["that look like another request", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"],
    ["of two megabytes", `{"filler":"${"é".repeat(2 ** 20)}"}`],
  ])("%s", async (_what, body) => {
    await hostile.meets(writes(rawResponse(500)), refused, { body });
    const sent = hostile.receiver.requests.filter((request) => !request.body.includes("OTHER001"));
    expect(sent).toHaveLength(2);
    for (const request of sent) {
      expect(request.body.equals(Buffer.from(body, "utf8"))).toBe(true);
      expect(request.headers["content-length"]).toBe(String(Buffer.byteLength(body)));
    }
  });

  test("that are no UTF-8", async () => {
    const { bench, receiver } = hostile;
    const sender = bench.createSender();
    await bench.addRecipient(receiver.url);
    const body = Buffer.from([0x22, 0xff, 0x00, 0xfe, 0x80, 0x22]);
    const announcement = { orderId: "A", airline: "LH", changeId: "c1", body };
    await inTransaction(bench.database, (trx) => sender.announce(asTx(trx), announcement));
    await deliverAll(sender);
    expect(receiver.requests[0]?.body.equals(body)).toBe(true);
  });
});

test("every try of a delivery has one webhook-id, and the time of the try; every delivery has its own", async () => {
  const { bench, receiver } = hostile;
  const sender = bench.createSender();
  await bench.addRecipient(receiver.url);
  receiver.behaviour = writes(rawResponse(503));
  await bench.announce(sender, { orderId: "A" });
  const triedAt: number[] = [];
  for (const waitMs of [5_000, 10_000, 20_000, 40_000]) {
    triedAt.push(bench.now().getTime());
    await deliverAll(sender);
    bench.pass(waitMs);
  }
  receiver.behaviour = acknowledges;
  triedAt.push(bench.now().getTime());
  await deliverAll(sender);
  await bench.announce(sender, { orderId: "A" });
  await deliverAll(sender);

  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toHaveLength(6);
  expect(new Set(ids.slice(0, 5)).size).toBe(1);
  expect(ids[5]).not.toBe(ids[0]);
  expect(receiver.requests.slice(0, 5).map(({ headers }) => headers["webhook-timestamp"])).toEqual(
    triedAt.map((at) => String(Math.floor(at / 1_000))),
  );
});
