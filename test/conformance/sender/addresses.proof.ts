import type { LookupAddress, lookup as lookUpName } from "node:dns";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAddressGuard } from "../../../src/sender/address-guard.ts";
import { createHttpTransport, type HttpTransport } from "../../../src/sender/http-transport.ts";
import { createSender, defaultSenderSettings, type Sender } from "../../../src/sender/sender.ts";
import { deliverAll } from "../../integration/sender/sender-bench.ts";
import { type HostileBench, openHostileBench } from "./hostile-bench.ts";
import { acknowledgement, rawResponse } from "./hostile-receiver.ts";

let hostile: HostileBench;
let http: HttpTransport | null = null;

beforeAll(async () => {
  hostile = await openHostileBench();
});
beforeEach(() => hostile.open());
afterEach(async () => {
  await http?.close();
  http = null;
  await hostile.clear();
});
afterAll(() => hostile.close());

/** A sender for whom the loopback is a public network, and names are what this says. */
function senderOn(resolve: (name: string) => readonly string[]): Sender {
  const resolver = (
    name: string,
    _options: unknown,
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void => {
    const addresses = resolve(name).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    if (addresses.length > 0) callback(null, addresses);
    else callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" }), []);
  };
  const rules = { allowHttp: true, allowedNetworks: ["127.0.0.1/32"] };
  http = createHttpTransport(createAddressGuard(rules, resolver as unknown as typeof lookUpName));
  const { store, now, logger } = hostile.bench;
  const settings = { ...defaultSenderSettings, closeGraceMs: 0 };
  return createSender({ store, http, clock: { now }, random: () => 0.5, logger, settings });
}

function urlAt(host: string): string {
  const url = new URL(hostile.receiver.url);
  return `http://${host}:${url.port}/ocn`;
}

async function sendTo(sender: Sender, url: string): Promise<void> {
  const { bench, neighbour } = hostile;
  await bench.addRecipient(neighbour.url);
  await bench.addRecipient(url);
  await bench.announce(sender, { orderId: "A" });
  await deliverAll(sender);
  // Whatever becomes of the other one.
  expect(neighbour.posts).toHaveLength(1);
}

async function newestAttempt(): Promise<unknown> {
  const { items } = await hostile.bench.recipients.listDeliveries({ orderId: "A" }, { limit: 10, cursor: null });
  const waiting = items.find(({ state }) => state === "pending")!;
  expect(waiting).toMatchObject({ failures: 1 });
  expect(waiting.dueAt).toEqual(new Date(hostile.bench.now().getTime() + 5_000));
  return (await hostile.bench.attempts(waiting.id)).at(-1);
}

const forbidden = { outcome: "failed", httpStatus: null, errorCode: "sender.address_forbidden" };

describe("a name", () => {
  test("that flips to a private address after its first response is not followed there", async () => {
    const { bench, receiver } = hostile;
    let lookups = 0;
    const sender = senderOn(() => {
      lookups += 1;
      return lookups === 1 ? ["127.0.0.1"] : ["10.0.0.7"];
    });
    receiver.behaviour = {
      onRequest: (socket) => void socket.end(rawResponse(200, acknowledgement, { Connection: "close" })),
    };
    await sendTo(sender, urlAt("flips.example"));
    expect(receiver.requests).toHaveLength(1);

    await bench.announce(sender, { orderId: "B" });
    await deliverAll(sender);

    const { items } = await bench.recipients.listDeliveries(
      { orderId: "B", state: "pending" },
      { limit: 10, cursor: null },
    );
    expect(await bench.attempts(items[0]!.id)).toMatchObject([forbidden]);
    expect(receiver.requests).toHaveLength(1);
    expect(lookups).toBe(2);
  });

  test("is looked up once for a connection, which goes to the address that was checked", async () => {
    let lookups = 0;
    const sender = senderOn(() => {
      lookups += 1;
      return lookups === 1 ? ["127.0.0.1"] : ["169.254.169.254"];
    });
    await sendTo(sender, urlAt("flips.example"));
    await hostile.bench.announce(sender, { orderId: "A" });
    await deliverAll(sender);

    expect(hostile.receiver.requests.map(({ connection }) => connection)).toEqual([1, 1]);
    expect(lookups).toBe(1);
  });

  test.each<[string, readonly string[]]>([
    ["a private address", ["10.0.0.7"]],
    ["the address of a cloud's metadata", ["169.254.169.254"]],
    ["a shared address", ["100.64.0.1"]],
    ["the loopback beside the allowed address", ["127.0.0.2"]],
    ["one bad address among good ones", ["127.0.0.1", "192.168.1.1"]],
    ["one bad address behind good ones of the other family", ["127.0.0.1", "fd00::1"]],
    ["a private address mapped into IPv6", ["::ffff:10.0.0.7"]],
    ["a private address behind NAT64", ["64:ff9b::a00:7"]],
    ["a private address in 6to4", ["2002:a00:7::1"]],
    ["a unique local address", ["fd12:3456::1"]],
    ["a link-local address with a zone", ["fe80::1%eth0"]],
    ["the unspecified address", ["0.0.0.0"]],
    ["a multicast address", ["224.0.0.1"]],
  ])("that leads to %s is refused, and tried again by the schedule", async (_what, addresses) => {
    await sendTo(
      senderOn(() => addresses),
      urlAt("inner.example"),
    );
    expect(await newestAttempt()).toMatchObject(forbidden);
    expect(hostile.receiver.connections).toBe(0);
  });

  test("that nobody knows is a failed connection", async () => {
    await sendTo(
      senderOn(() => []),
      urlAt("unknown.example"),
    );
    expect(await newestAttempt()).toMatchObject({ ...forbidden, errorCode: "sender.connect_failed" });
  });
});

describe("a URL", () => {
  test.each(["[::1]", "[::ffff:127.0.0.2]", "[::ffff:7f00:2]", "0x7f000002", "2130706434", "0177.0.0.2", "127.2", "0"])(
    "with the private address %s in any spelling is refused without a connection",
    async (host) => {
      await sendTo(
        senderOn(() => ["127.0.0.1"]),
        urlAt(host),
      );
      expect(await newestAttempt()).toMatchObject(forbidden);
      expect(hostile.receiver.connections).toBe(0);
    },
  );
});
