import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sender } from "../../../src/sender/sender.ts";
import { type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";

let bench: SenderBench;
let sender: Sender;
let receiver: ScriptedReceiver;
let url: string;

beforeAll(async () => {
  bench = await openSenderBench();
  sender = bench.createSender();
  url = `${await bench.serveControl(sender)}/control/notifications`;
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await bench.clear();
});
afterAll(async () => {
  await bench.close();
});

describe("a notification that an operator gives", () => {
  test("goes to each recipient that it fits, byte for byte", async () => {
    const every = await bench.addRecipient(`${receiver.url}/every`);
    const lufthansa = await bench.addRecipient(`${receiver.url}/lufthansa`, { airlines: ["LH"] });
    await bench.addRecipient(`${receiver.url}/air-canada`, { airlines: ["AC"] });
    const body = sample("ocn-minor-delay.json");

    const sent = await send(body);
    await deliverAll(sender);

    expect(sent).toMatchObject({
      status: 201,
      body: { orderId: "QX7R2M1A", airline: "LH", state: "announced", remarks: [] },
    });
    expect(recipientsOf(sent)).toEqual([every.id, lufthansa.id].toSorted());
    expect(receiver.posts.map((post) => post.body.toString())).toEqual([body, body]);
    const { items } = await bench.recipients.listDeliveries({}, { limit: 10, cursor: null });
    expect(items.map(({ id, state, changeId }) => ({ id, state, changeId }))).toEqual(
      expect.arrayContaining(
        sent.body.deliveries.map(({ deliveryId: id }) => ({ id, state: "delivered", changeId: sent.body.changeId })),
      ),
    );
  });

  test("names its airline in any letter case, and by the first Owner", async () => {
    const lufthansa = await bench.addRecipient(receiver.url, { airlines: ["LH"] });
    await bench.addRecipient(receiver.url, { airlines: ["AC"] });
    const { OrderViewRS: view } = JSON.parse(sample("ocn-minor-delay.json")) as { OrderViewRS: { Order: object[] } };
    const Order = ["lh", "AC"].map((Owner) => ({ ...view.Order[0], Owner }));

    const sent = await send(JSON.stringify({ OrderViewRS: { ...view, Order } }));

    expect(sent).toMatchObject({ status: 201, body: { airline: "LH" } });
    expect(recipientsOf(sent)).toEqual([lufthansa.id]);
    expect(await bench.announce(sender, { orderId: "OWN1", airline: "lh" })).toBe(1);
  });

  test("repeated after it was sent as a missed one gets the response as it would be now", async () => {
    const headers = { "Idempotency-Key": "key-of-a-missed-one" };
    await send(sample("ocn-minor-delay.json"), headers);
    const { id } = await bench.addRecipient(receiver.url);
    await bench.recipients.sendMissed(id, new Date(0));

    const again = await send(sample("ocn-minor-delay.json"), headers);

    expect(again).toMatchObject({ status: 201, replayed: "true", body: { state: "announced" } });
    expect(recipientsOf(again)).toEqual([id]);
  });

  test("of an order of one agency goes to its recipients, and to those of none", async () => {
    const every = await bench.addRecipient(`${receiver.url}/every`);
    const own = await bench.addRecipient(`${receiver.url}/own`, { agencyId: "north" });
    const other = await bench.addRecipient(`${receiver.url}/other`, { agencyId: "south" });
    const body = sample("ocn-minor-delay.json");

    const ofNorth = await send(body, {}, "?agencyId=north");
    const ofAll = await send(body);

    expect(recipientsOf(ofNorth)).toEqual([every.id, own.id].toSorted());
    expect(recipientsOf(ofAll)).toEqual([every.id, own.id, other.id].toSorted());
  });

  test("of an order of one agency that had no recipient is never sent to another as a missed one", async () => {
    await send(sample("ocn-minor-delay.json"), {}, "?agencyId=north");
    const other = await bench.addRecipient(receiver.url, { agencyId: "south" });
    const own = await bench.addRecipient(receiver.url, { agencyId: "north" });

    expect(await bench.recipients.sendMissed(other.id, new Date(0))).toBe(0);
    expect(await bench.recipients.sendMissed(own.id, new Date(0))).toBe(1);
  });

  test("with the Idempotency-Key of one for another agency is refused", async () => {
    const headers = { "Idempotency-Key": "key-of-north" };
    const body = sample("ocn-minor-delay.json");

    expect((await send(body, headers, "?agencyId=north")).status).toBe(201);
    expect((await send(body, headers, "?agencyId=north")).replayed).toBe("true");
    expect((await send(body, headers, "?agencyId=south")).status).toBe(409);
    expect((await send(body, headers)).status).toBe(409);
  });

  test("with an Idempotency-Key gets the first response again, and is sent once", async () => {
    await bench.addRecipient(receiver.url);
    const body = sample("ocn-minor-delay.json");
    const headers = { "Idempotency-Key": "key-1" };

    const [first, atOnce] = await Promise.all([send(body, headers), send(body, headers)]);
    await deliverAll(sender);
    const again = await send(body, headers);
    await deliverAll(sender);

    expect([first.status, atOnce.status, again.status]).toEqual([201, 201, 201]);
    expect(atOnce.body).toEqual(first.body);
    expect(again.body).toEqual(first.body);
    expect(again.replayed).toBe("true");
    expect(receiver.posts).toHaveLength(1);
  });

  test.each([
    ["another body", sample("ocn-minor-delay.json").replace("07:30:00", "07:31:00")],
    ["another order", sample("ocn-cancelled.json")],
  ])("with the Idempotency-Key of another one is refused: %s", async (what, other) => {
    await bench.addRecipient(receiver.url);
    const headers = { "Idempotency-Key": `key of ${what}`.replaceAll(" ", "-") };
    await send(sample("ocn-minor-delay.json"), headers);

    const refused = await send(other, headers);
    await deliverAll(sender);

    expect(refused).toMatchObject({ status: 409, body: { code: "sender.idempotency_key_reused" } });
    expect(receiver.posts).toHaveLength(1);
  });

  test("without an Idempotency-Key is sent each time", async () => {
    await bench.addRecipient(receiver.url, { ordering: "every" });

    await send(sample("ocn-minor-delay.json"));
    await send(sample("ocn-minor-delay.json"));
    await deliverAll(sender);

    expect(receiver.posts).toHaveLength(2);
  });

  test("that fits no recipient says so, and is sent later as a missed one", async () => {
    const sent = await send(sample("ocn-minor-delay.json"));
    const { id } = await bench.addRecipient(receiver.url);

    expect(sent).toMatchObject({ status: 201, body: { state: "no-recipient", deliveries: [] } });
    expect(await bench.recipients.sendMissed(id, new Date(0))).toBe(1);
  });

  test("with everything a receiver can read, but not as documented, is sent with remarks", async () => {
    const { OrderViewRS: view } = JSON.parse(sample("ocn-minor-delay.json")) as { OrderViewRS: object };

    const sent = await send(JSON.stringify({ OrderViewRS: { ...view, ShoppingResponseId: 7 } }));

    expect(sent).toMatchObject({
      status: 201,
      body: { remarks: [{ code: "ocn.not_as_documented", path: "/OrderViewRS/ShoppingResponseId" }] },
    });
  });

  test.each<[string, string, object[]]>([
    ["no JSON", "{", [{ code: "ocn.not_json", path: "" }]],
    ["no order view", "{}", [{ code: "ocn.not_an_order_view", path: "" }]],
    ["no order", '{"OrderViewRS": {}}', [{ code: "ocn.no_order", path: "/OrderViewRS/Order" }]],
    [
      "a list around it",
      JSON.stringify([JSON.parse(sample("ocn-minor-delay.json"))]),
      [{ code: "ocn.no_root", path: "" }],
    ],
    [
      "several things wrong",
      JSON.stringify({ Order: [{ OrderID: "A" }, {}, { OrderID: "B" }] }),
      [
        { code: "ocn.no_root", path: "" },
        { code: "ocn.no_order_id", path: "/Order/1/OrderID" },
        { code: "ocn.several_orders", path: "/Order" },
        { code: "ocn.no_owner", path: "/Order/0/Owner" },
      ],
    ],
  ])("with %s is refused with each problem", async (_, body, problems) => {
    const refused = await send(body);

    expect(refused).toMatchObject({ status: 422, body: { code: "sender.unusable_notification", problems } });
    expect((await bench.recipients.readMissed()).count).toBe(0);
  });

  test("that is missing, too long, or has an unusable Idempotency-Key is refused", async () => {
    expect(await send("")).toMatchObject({ status: 422, body: { problems: [{ code: "ocn.not_json" }] } });
    expect(await send(" ".repeat(2 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
    expect(await send(sample("ocn-minor-delay.json"), { "Idempotency-Key": "a b" })).toMatchObject({ status: 400 });
  });
});

function sample(name: string): string {
  return readFileSync(new URL(`../../../samples/${name}`, import.meta.url), "utf8");
}

function recipientsOf({ body }: Awaited<ReturnType<typeof send>>): string[] {
  return body.deliveries.map(({ recipientId }) => recipientId).toSorted();
}

async function send(body: string, headers: Record<string, string> = {}, query = "") {
  const response = await fetch(url + query, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body,
  });
  return {
    status: response.status,
    replayed: response.headers.get("Idempotent-Replayed"),
    body: (await response.json()) as {
      changeId: string;
      deliveries: { deliveryId: string; recipientId: string }[];
    },
  };
}
