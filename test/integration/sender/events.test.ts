import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { outgoingEventSchema, pingSchema } from "../../../src/sender/events/outgoing-event.ts";
import { outgoingEventTypes } from "../../../src/sender/events/ports.ts";
import { closeTasksDoneByEvents } from "../../../src/store/cases/tasks.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { createDeliveryRetention } from "../../../src/store/deliveries/delivery-retention.ts";
import { eventTables } from "../../../src/store/deliveries/delivery-tables.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { eventually } from "../../harness/eventually.ts";
import { aCase, type EventBench, isSignedBy, openEventBench } from "./event-bench.ts";
import { type ReceivedPost, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";

const unknownId = "0190a8b0-0000-7000-8000-000000000000";

let bench: EventBench;
let receiver: ScriptedReceiver;

beforeAll(async () => {
  bench = await openEventBench();
});
beforeEach(async () => {
  receiver = await startReceiver(respondWith(204));
});
afterEach(async () => {
  await receiver.close();
  for (const { id } of (await bench.api("GET", "/recipients?limit=200")).body.items) {
    await bench.api("DELETE", `/recipients/${id}`);
  }
  bench.lines.length = 0;
});
afterAll(() => bench.close());

const read = ({ body }: ReceivedPost) => outgoingEventSchema.parse(JSON.parse(body.toString("utf8")));
const received = () => receiver.posts.map(read);
const countBodies = async () => {
  const { rows } = await bench.run("select count(*)::integer as count from skedchange.event_bodies");
  return rows[0].count as number;
};

/** Takes a case from its opening to the end, one transaction after the other. */
async function live(script: ReturnType<typeof aCase>, openTask = script.openTask): Promise<void> {
  const { order, open, decide, inForce, move, planEffect, moveEffect } = script;
  await bench.together("commit", order, open);
  await bench.together("commit", move("checking"));
  await bench.together("commit", decide, inForce);
  await bench.together("commit", planEffect, move("accepting"));
  await bench.together("commit", moveEffect("sent"));
  await bench.together("commit", moveEffect("unknown"));
  await bench.together("commit", moveEffect("sent"));
  await bench.together("commit", moveEffect("unknown"));
  await bench.together("commit", moveEffect("succeeded"), openTask, move("done"));
}

const wholeLife = [
  "case.opened",
  "case.decided",
  "effect.unknown",
  "effect.unknown",
  "effect.succeeded",
  "task.opened",
  "case.done",
];

describe("an event", () => {
  test("are sent for everything that happens to a case, in order", async () => {
    await bench.addRecipient(receiver.url);
    const script = aCase();
    await live(script);
    await bench.deliver();

    expect(received().map(({ type }) => type)).toEqual(wholeLife);
    expect(new Set(received().map(({ id }) => id)).size).toBe(wholeLife.length);
    expect(received()[0]).toMatchObject({
      source: "default",
      caseId: script.ids.case,
      orderId: script.ids.order,
      gdsBookingReferences: ["QX7R2M"],
      state: "received",
      decision: null,
      effect: null,
      task: null,
    });
    const decision = { id: script.ids.decision, action: "accept", by: "person", rule: "person" };
    expect(received()[1]).toMatchObject({ decision: { ...decision, reasons: ["person-decided"] }, effect: null });
    expect(received()[4]).toMatchObject({
      decision,
      effect: { id: script.ids.effect, action: "accept", state: "succeeded" },
    });
    expect(received()[5]).toMatchObject({ task: { id: script.ids.task, kind: "check-ticket" } });
  });

  test("shows the case as the transaction leaves it", async () => {
    await bench.addRecipient(receiver.url, { eventTypes: ["effect.succeeded"] });
    await live(aCase());
    await bench.deliver();

    expect(received()).toMatchObject([{ type: "effect.succeeded", state: "done" }]);
  });

  test.each([
    ["closed", "closed"],
    ["resolved-elsewhere", "resolved-elsewhere"],
  ])("are sent when a case was %s", async (state) => {
    await bench.addRecipient(receiver.url, { eventTypes: ["case.closed"] });
    const { order, open, move } = aCase();
    await bench.together("commit", order, open, move("checking"), move(state));
    await bench.deliver();

    expect(received()).toMatchObject([{ type: "case.closed", state }]);
  });

  test.each(["accept", "cancel", "review", "ask-traveller", "wait", "none"])(
    "is as it is described, whatever was decided: %s",
    async (action) => {
      await bench.addRecipient(receiver.url, { eventTypes: ["case.decided"] });
      const { order, open, decideOn } = aCase();
      await bench.together("commit", order, open, decideOn(action));
      await bench.deliver();

      expect(received()).toMatchObject([{ decision: { action } }]);
    },
  );

  test("are sent once when a case is overdue, with the clock", async () => {
    await bench.addRecipient(receiver.url, { eventTypes: ["case.overdue"] });
    const { order, open, overdue, move } = aCase();
    await bench.together("commit", order, open, overdue);
    await bench.together("commit", move("checking"));
    await bench.deliver();

    expect(received()).toMatchObject([{ type: "case.overdue", dueBy: { rule: "response" } }]);
  });

  test("are sent when an effect failed", async () => {
    await bench.addRecipient(receiver.url, { eventTypes: ["effect.failed"] });
    const { order, open, decide, planEffect, moveEffect } = aCase();
    await bench.together("commit", order, open, decide, planEffect, moveEffect("failed"));
    await bench.deliver();

    expect(received()).toMatchObject([{ type: "effect.failed", effect: { state: "failed" } }]);
  });

  test("are not sent for what was rolled back", async () => {
    await bench.addRecipient(receiver.url);
    const before = await countBodies();
    const { order, open, decide } = aCase();
    await bench.together("rollback", order, open, decide);
    await bench.deliver();

    expect(await countBodies()).toBe(before);
    expect(receiver.posts).toHaveLength(0);
  });

  test("is not written when nobody wants it", async () => {
    const before = await countBodies();
    await live(aCase());
    const { id } = await bench.addRecipient(receiver.url, { eventTypes: ["task.opened"], sources: ["other"] });
    await live(aCase());
    await bench.api("DELETE", `/recipients/${id}`);
    await live(aCase({ source: "other" }));

    expect(await countBodies()).toBe(before);
  });

  test("cannot be written by the service role without anything having happened, nor changed, nor deleted", async () => {
    const denied = { code: "42501" };
    const add = "select skedchange.add_event('case.done', 'forged', gen_random_uuid(), '{}')";
    await expect(bench.run(add)).rejects.toMatchObject(denied);
    await expect(bench.run("insert into skedchange.event_bodies default values")).rejects.toMatchObject(denied);
    await expect(bench.run("update skedchange.event_bodies set body = '\\x00'")).rejects.toMatchObject(denied);
    await expect(bench.run("delete from skedchange.event_bodies")).rejects.toMatchObject(denied);
  });

  test("holds no passenger data and no notes", async () => {
    const marker = "MUSTER/ERIKA MRS";
    await bench.addRecipient(receiver.url);
    await live(aCase({ note: marker }));
    const { order, open, decide, planEffect, moveEffect } = aCase({ note: marker });
    await bench.together("commit", order, open, decide, planEffect, moveEffect("failed"));
    await bench.deliver();

    expect(receiver.posts).toHaveLength(wholeLife.length + 3);
    const sent = receiver.posts.map(({ body }) => body.toString("utf8")).join("\n");
    expect(sent).not.toContain(marker);
    expect(sent.toLowerCase()).not.toContain("erika");
    expect(bench.lines.join("\n")).not.toContain(marker);
  });
});

describe("an event to inform the traveller", () => {
  const inform = { eventTypes: ["traveller.inform"] };
  const taskOf = async ({ ids }: ReturnType<typeof aCase>) => {
    const { rows } = await bench.run(
      `select t.closed_by as "closedBy", array(
         select kind || ' by ' || actor from skedchange.case_events where case_id = t.case_id order by id
       ) as timeline
       from skedchange.tasks t where t.id = $1`,
      [ids.taskToInform],
    );
    return rows[0] as { readonly closedBy: string | null; readonly timeline: readonly string[] };
  };
  async function acceptedWithTask(): Promise<ReturnType<typeof aCase>> {
    const script = aCase();
    await live(script, script.openTaskToInform);
    return script;
  }
  /** As the role sender does, every two seconds. */
  async function deliverAndLook(): Promise<void> {
    await bench.deliver();
    await closeTasksDoneByEvents(bench.testDatabase.database, systemClock);
  }

  test("names its task, and closes it once a recipient has acknowledged it", async () => {
    await bench.addRecipient(receiver.url, inform);
    const script = await acceptedWithTask();
    expect(await taskOf(script)).toEqual({ closedBy: null, timeline: [] });

    await deliverAndLook();

    expect(received()).toMatchObject([
      {
        type: "traveller.inform",
        state: "done",
        decision: { id: script.ids.decision },
        effect: { id: script.ids.effect, action: "accept", state: "succeeded" },
        task: {
          id: script.ids.taskToInform,
          kind: "inform-traveller",
          reasons: ["traveller-not-informed"],
          dueBy: { at: "2027-03-13T10:00:00.000Z", rule: "departure-24h" },
        },
      },
    ]);
    expect(await taskOf(script)).toEqual({ closedBy: "event", timeline: ["task.closed by event"] });
    const { rows } = await bench.run(
      "select actor from skedchange.audit_entries where kind = 'task.closed' and case_id = $1",
      [script.ids.case],
    );
    expect(rows).toEqual([{ actor: "event" }]);
  });

  test("leaves the task open until it is acknowledged", async () => {
    await receiver.close();
    let status = 503;
    receiver = await startReceiver((...given) => respondWith(status)(...given));
    await bench.addRecipient(receiver.url, inform);
    const script = await acceptedWithTask();
    await deliverAndLook();
    expect(received().map(({ type }) => type)).toContain("traveller.inform");
    expect(await taskOf(script)).toEqual({ closedBy: null, timeline: [] });

    status = 204;
    bench.pass(120_000);
    await deliverAndLook();

    expect(await taskOf(script)).toEqual({ closedBy: "event", timeline: ["task.closed by event"] });
  });

  test("is not sent to recipients of every type, which have not said that they inform travellers", async () => {
    await bench.addRecipient(receiver.url);
    const script = await acceptedWithTask();

    await deliverAndLook();

    expect(received().map(({ type }) => type)).toEqual(wholeLife);
    expect(await taskOf(script)).toEqual({ closedBy: null, timeline: [] });
  });

  test("is not sent for a task that is for a person", async () => {
    await bench.addRecipient(receiver.url, inform);
    const { order, open, openTask } = aCase();
    await bench.together("commit", order, open, openTask);

    await deliverAndLook();

    expect(receiver.posts).toHaveLength(0);
  });

  test("changes nothing of a task that a person has closed before", async () => {
    await bench.addRecipient(receiver.url, inform);
    const script = await acceptedWithTask();
    const close = "update skedchange.tasks set closed_at = now(), closed_by = 'person:ana' where id = $1";
    await bench.run(close, [script.ids.taskToInform]);

    await deliverAndLook();

    expect(received()).toHaveLength(1);
    expect(await taskOf(script)).toEqual({ closedBy: "person:ana", timeline: [] });
  });

  test("cannot be asked for by a task of another kind", async () => {
    const { order, open, ids } = aCase();
    await bench.together("commit", order, open);
    const forged = `insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at, by_event)
      values ($1, $2, 'default', $3, 'check-ticket', '[]', now(), true)`;

    await expect(bench.run(forged, [ids.task, ids.case, ids.order])).rejects.toMatchObject({ code: "23514" });
  });
});

describe("recipients of events", () => {
  test("get what they want of the sources that they want, from when they were added", async () => {
    const early = aCase();
    await live(early);
    await bench.addRecipient(receiver.url, { eventTypes: ["case.opened", "case.done"], sources: ["default"] });
    const wanted = aCase();
    await live(wanted);
    await live(aCase({ source: "other" }));
    await bench.deliver();

    expect(received().map(({ type, caseId }) => [type, caseId])).toEqual([
      ["case.opened", wanted.ids.case],
      ["case.done", wanted.ids.case],
    ]);
  });

  test("of every type can be chosen", async () => {
    const { body, status } = await bench.api("POST", "/recipients", {
      name: "All",
      url: receiver.url,
      eventTypes: outgoingEventTypes,
    });

    expect(status).toBe(201);
    expect(body.eventTypes).toEqual(outgoingEventTypes);
  });

  test("get a secret of their own that is shown once, and each event signed with it", async () => {
    const { id, signingSecret, signingSecrets } = await bench.addRecipient(receiver.url);
    await live(aCase());
    await bench.deliver();

    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(signingSecrets).toBe(1);
    expect(receiver.posts).toHaveLength(wholeLife.length);
    for (const post of receiver.posts) {
      expect(isSignedBy(signingSecret, post)).toBe(true);
      expect(isSignedBy(signingSecret, { ...post, body: Buffer.concat([post.body, Buffer.from(" ")]) })).toBe(false);
      expect(post.headers.authorization).toBeUndefined();
    }
    const shown = await bench.api("GET", `/recipients/${id}`);
    expect(JSON.stringify(shown.body)).not.toContain("whsec_");
    expect(shown.body).not.toHaveProperty("ordering");
    expect(bench.lines.join("\n")).not.toContain("whsec_");
  });

  test("may bring their secret, and have an old one beside a new one while it is replaced", async () => {
    const old = "whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB";
    const fresh = "whsec_AgICAgICAgICAgICAgICAgICAgICAgIC";
    const { id, signingSecret } = await bench.addRecipient(receiver.url, {
      signingSecrets: [old],
      eventTypes: ["case.opened"],
      authorization: { type: "bearer", token: "mid-office-token" },
    });
    expect(signingSecret).toBe("none");
    await live(aCase());
    await bench.deliver();
    await bench.api("PATCH", `/recipients/${id}`, { signingSecrets: [fresh, old] });
    await live(aCase());
    await bench.deliver();
    await bench.api("PATCH", `/recipients/${id}`, { signingSecrets: [fresh] });
    await live(aCase());
    await bench.deliver();

    expect(receiver.posts.map((post) => [isSignedBy(old, post), isSignedBy(fresh, post)])).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    expect(receiver.posts[0]!.headers.authorization).toBe("Bearer mid-office-token");
  });

  test.each([
    { signingSecrets: [] },
    { eventTypes: [] },
    { eventTypes: ["case.vanished"] },
    { sources: [] },
    { airlines: ["LH"] },
    { ordering: "latest" },
    { acknowledgement: "required" },
  ])("are refused with %j", async (rules) => {
    const { status, body } = await bench.api("POST", "/recipients", { name: "A", url: receiver.url, ...rules });

    expect(status).toBe(400);
    expect(body.code).toBe("sender.bad_request");
  });

  test("are audited with who added, changed and removed them", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await bench.api("PATCH", `/recipients/${id}`, { name: "Back-office", state: "paused" });
    await bench.api("DELETE", `/recipients/${id}`);

    const { rows } = await bench.run(
      "select kind, actor, refs ->> 'state' as state from skedchange.audit_entries where refs ->> 'id' = $1 order by id",
      [id],
    );
    expect(rows).toEqual([
      { kind: "event-recipient.added", actor: "person:admin", state: "active" },
      { kind: "event-recipient.changed", actor: "person:admin", state: "paused" },
      { kind: "event-recipient.changed", actor: "person:admin", state: "removed" },
    ]);
  });

  test("at an address that is not public are refused", async () => {
    const { status, body } = await bench.api("POST", "/recipients", { name: "A", url: "http://169.254.169.254/" });

    expect(status).toBe(422);
    expect(body.code).toMatch(/^sender\./);
  });

  test("can be tried out with a ping, which is signed and not kept", async () => {
    const { id, signingSecret } = await bench.addRecipient(receiver.url);
    const { status, body } = await bench.api("POST", `/recipients/${id}/test`);

    expect(status).toBe(200);
    expect(body).toMatchObject({ outcome: "delivered", httpStatus: 204 });
    expect(pingSchema.parse(JSON.parse(receiver.posts[0]!.body.toString())).type).toBe("ping");
    expect(isSignedBy(signingSecret, receiver.posts[0]!)).toBe(true);
    expect((await bench.api("GET", `/deliveries?recipientId=${id}`)).body.items).toEqual([]);
  });

  test("that are paused get everything, in order, once they are resumed", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    await bench.api("PATCH", `/recipients/${id}`, { state: "paused", reason: "maintenance" });
    await live(aCase());
    await bench.deliver();
    expect(receiver.posts).toHaveLength(0);
    const { body } = await bench.api("PATCH", `/recipients/${id}`, { state: "active" });
    await bench.deliver();

    expect(body.pendingDeliveries).toBe(wholeLife.length);
    expect(received().map(({ type }) => type)).toEqual(wholeLife);
  });

  test("that do not exist are a 404", async () => {
    for (const [method, path] of [
      ["GET", `/recipients/${unknownId}`],
      ["DELETE", `/recipients/${unknownId}`],
      ["POST", `/recipients/${unknownId}/test`],
    ] as const) {
      expect((await bench.api(method, path)).status).toBe(404);
    }
  });
});

describe("deliveries of events", () => {
  test("are tried again, and hold back what happened later to the order and nothing else", async () => {
    await bench.addRecipient(receiver.url, { eventTypes: ["case.opened", "case.decided", "case.done"] });
    const [stuck, other] = [aCase(), aCase()];
    receiver.script = (response, post) =>
      void response.writeHead(read(post).orderId === stuck.ids.order ? 500 : 200).end();
    await live(stuck);
    await live(other);
    await bench.deliver();

    const [failed] = (await bench.api("GET", `/deliveries?orderId=${stuck.ids.order}&eventType=case.opened`)).body
      .items;
    expect(failed).toMatchObject({ lastAttempt: { outcome: "refused", httpStatus: 500, errorCode: "sender.refused" } });
    const [behind] = (await bench.api("GET", `/deliveries?orderId=${stuck.ids.order}&eventType=case.done`)).body.items;
    expect(behind).toMatchObject({ lastAttempt: null });
    const tried = (order: string) =>
      received()
        .filter(({ orderId }) => orderId === order)
        .map(({ type }) => type);
    expect(tried(stuck.ids.order)).toEqual(["case.opened"]);
    expect(tried(other.ids.order)).toEqual(["case.opened", "case.decided", "case.done"]);

    receiver.script = respondWith(200);
    bench.pass(5_000);
    await bench.deliver();
    expect(tried(stuck.ids.order)).toEqual(["case.opened", "case.opened", "case.decided", "case.done"]);
    const [first, second] = receiver.posts.filter((post) => read(post).orderId === stuck.ids.order);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(second!.body).toEqual(first!.body);
  });

  test("are found by event, source, order and state, and show their attempts", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    const script = aCase();
    await live(script);
    await bench.deliver();
    const find = async (query: string) => (await bench.api("GET", `/deliveries?recipientId=${id}&${query}`)).body.items;

    const [found, ...others] = await find(`orderId=${script.ids.order}&eventType=case.done&state=delivered`);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      eventType: "case.done",
      source: "default",
      caseId: script.ids.case,
      attempts: 1,
      lastAttempt: { outcome: "delivered", httpStatus: 204, errorCode: null },
    });
    expect(await find("source=default")).toHaveLength(wholeLife.length);
    expect(await find("source=other")).toEqual([]);
    expect((await bench.api("GET", "/deliveries?state=superseded")).status).toBe(400);
    expect((await bench.api("GET", `/deliveries/${found!.id}`)).body).toEqual(found);
    const attempts = await bench.api("GET", `/deliveries/${found!.id}/attempts`);
    expect(attempts.body.items).toMatchObject([{ number: 1, outcome: "delivered", httpStatus: 204 }]);
  });

  test("are replayed one by one, with the same event id and a webhook-id of their own", async () => {
    const { id } = await bench.addRecipient(receiver.url, { eventTypes: ["case.opened"] });
    await live(aCase());
    await bench.deliver();
    const { items } = (await bench.api("GET", `/deliveries?recipientId=${id}`)).body;
    expect((await bench.api("POST", `/deliveries/${items[0]!.id}/replay`)).status).toBe(201);
    await bench.deliver();

    const [first, again] = receiver.posts;
    expect(again!.body).toEqual(first!.body);
    expect(again!.headers["webhook-id"]).not.toBe(first!.headers["webhook-id"]);
  });

  test("are replayed by a filter and since a time, in the order in which they happened", async () => {
    await bench.addRecipient(receiver.url);
    receiver.script = respondWith(422);
    await live(aCase());
    // What happened in the last millisecond is not before it.
    const since = new Date(Date.now() + 1).toISOString();
    await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(since)), { everyMs: 1 });
    await live(aCase());
    await bench.deliver();
    expect(receiver.posts).toHaveLength(2 * wholeLife.length);
    receiver.script = respondWith(204);

    const wanted = { state: "dead", since };
    expect((await bench.api("POST", "/replays", { ...wanted, preview: true })).body.total).toBe(wholeLife.length);
    const resend = await bench.api("POST", "/replays", wanted);
    expect(resend.status).toBe(201);
    while (await bench.resends.advanceResend(3));
    await bench.deliver();

    const progress = await bench.api("GET", `/replays/${resend.body.id}`);
    expect(progress.body).toMatchObject({ state: "finished", done: wholeLife.length, skipped: 0 });
    const resent = received().slice(2 * wholeLife.length);
    expect(resent.map(({ type }) => type)).toEqual(wholeLife);
  });
});

describe("what is kept", () => {
  const dayMs = 24 * 3_600_000;

  test("of delivered events is deleted after a while, and not what failed", async () => {
    await bench.addRecipient(receiver.url, { eventTypes: ["case.opened", "case.done"] });
    bench.pass(-10 * dayMs);
    receiver.script = (response, post) => void response.writeHead(read(post).type === "case.done" ? 422 : 204).end();
    const script = aCase();
    await live(script);
    await bench.deliver();
    bench.pass(10 * dayMs);
    const { ownerDatabase, database } = bench.testDatabase;
    await ownerDatabase.pool.query(
      "update skedchange.event_bodies set created_at = created_at - interval '10 days' where case_id = $1",
      [script.ids.case],
    );
    const before = new Date(Date.now() - 5 * dayMs);
    const retention = createDeliveryRetention(database, eventTables);
    while ((await retention.deleteEnded(before, 500)) > 0);

    const { items } = (await bench.api("GET", `/deliveries?orderId=${script.ids.order}`)).body;
    expect(items).toMatchObject([{ eventType: "case.done", state: "dead" }]);
    const { rows } = await bench.run("select event_type from skedchange.event_bodies where case_id = $1", [
      script.ids.case,
    ]);
    expect(rows).toEqual([{ event_type: "case.done" }]);
  });

  test("of credentials and secrets is encrypted anew with a new key", async () => {
    await bench.addRecipient(receiver.url, { authorization: { type: "bearer", token: "mid-office-token" } });
    const keys = readEncryptionKeys(createEncryptionKey(new Date()));
    if (!keys.ok) throw new Error(keys.problem);
    const encryption = createEncryption(keys.keys);
    const { connection } = bench.testDatabase.ownerDatabase;
    const results = await reencrypt({ connection, encryption }, () => {});

    expect(results).toContainEqual({ column: "skedchange.event_recipients.credential", done: 1, unreadableIds: [] });
    const { rows } = await bench.run(
      "select key_id, signing_secrets_key_id from skedchange.event_recipients where state <> 'removed'",
    );
    expect(rows).toEqual([{ key_id: encryption.currentKeyId, signing_secrets_key_id: encryption.currentKeyId }]);
  });
});
