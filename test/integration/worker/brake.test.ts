import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Automation } from "../../../src/dashboard/automation-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createAutomation } from "../../../src/store/cases/automation.ts";
import type { GatewayQuery, GatewayResult } from "../../../src/worker/gateway-ports.ts";
import type { WorkerContext } from "../../../src/worker/worker-context.ts";
import { sampleNotification, withDelayTaken } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { forgetOutcomes } from "../../harness/forget-outcomes.ts";
import { createScriptedGateway, result, ScriptedFailure, settled } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let automation: Automation;
let orderNumber = 0;

beforeAll(async () => {
  db = await createTestDatabase();
  automation = createAutomation(db.database, systemClock, { sources: ["default", "other"] });
});
afterAll(() => db.drop());
afterEach(async () => {
  await automation.resume({ actor: "person:rui", source: null });
  await forgetOutcomes(db.database);
});

const resume = () => automation.resume({ actor: "person:rui", source: "default" });
const stops = async () => (await automation.readStops()).map(({ source, cause }) => [source, cause]);

type Respond = (query: GatewayQuery) => readonly GatewayResult[];
const succeeds: Respond = (query) => [result(query, "SUCCESS")];
const refuses: Respond = (query) => [result(query, "FAILED", "NOT ALLOWED")];
const refusesForNow: Respond = (query) => [result(query, "FAILED", "SUPPLIER_UNAVAILABLE")];
const losesIt: Respond = () => {
  throw new ScriptedFailure("unknown", "gateway.timeout");
};
const isDown: Respond = () => {
  throw new ScriptedFailure("before-sending", "gateway.circuit_open");
};

/** The case of an order whose change the rules accept, which the gateway answers so. */
async function accepted(respond: Respond, changes: Partial<WorkerContext> = {}): Promise<WorkerUnderTest> {
  orderNumber += 1;
  const orderId = `BRAKE${orderNumber}`;
  const body = sampleNotification("minor-delay", { orderId, reference: `BRK${orderNumber}` });
  const gateway = createScriptedGateway(body);
  gateway.responses.push(async () => respond(gateway.journal.at(-1)!.query));
  const worker = createWorkerUnderTest(db.database, gateway, changes);
  await worker.notify(body);
  await worker.work(orderId);
  return worker;
}
const newest = (worker: WorkerUnderTest) => worker.caseOf(`BRAKE${orderNumber}`);

describe("outcomes that contradict what was read", () => {
  test("three in a row stop automation of their source, in the commit of the third", async () => {
    await accepted(refuses);
    await accepted(losesIt);
    expect(await stops()).toEqual([]);

    await accepted(refuses);

    expect(await automation.readStops()).toMatchObject([
      {
        source: "default",
        cause: "outcomes",
        stoppedBy: "worker",
        note: expect.stringMatching(/^The last 3 .* resume/),
      },
    ]);
    expect(await newest(await accepted(succeeds))).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:automation-stopped" },
      effects: [],
    });
  });

  test("five of the last hundred stop it as well, and four do not", async () => {
    for (const respond of [refuses, succeeds, refuses, succeeds, refuses, succeeds, refuses]) await accepted(respond);
    await accepted(succeeds);
    expect(await stops()).toEqual([]);

    await accepted(refuses);

    expect(await stops()).toEqual([["default", "outcomes"]]);
  });

  test("a case that waits to be sent is passed to an agent at once", async () => {
    const timing = { ...(await accepted(succeeds)).context.timing, undoWindowMs: 600_000 };
    const pending = await accepted(succeeds, { timing });
    const orderId = `BRAKE${orderNumber}`;
    expect(await pending.caseOf(orderId)).toMatchObject({ state: "accept-pending" });

    for (const respond of [refuses, refuses, refuses]) await accepted(respond);
    await pending.work(orderId);

    expect(await pending.caseOf(orderId)).toMatchObject({
      state: "awaiting-agent",
      decision: { rule: "check:automation-stopped" },
      effects: [],
    });
  });

  test("a gateway that is down, or refuses for now, contradicts nothing", async () => {
    for (const respond of [isDown, isDown, refusesForNow, isDown, refusesForNow, isDown]) await accepted(respond);

    expect(await stops()).toEqual([]);
  });

  test("an unknown outcome that turns out as a success does not count any more", async () => {
    await accepted(refuses);
    const lost = await accepted(losesIt);
    const orderId = `BRAKE${orderNumber}`;
    const body = sampleNotification("minor-delay", { orderId, reference: `BRK${orderNumber}` });
    const settledGateway = createScriptedGateway(settled(withDelayTaken(body), "Accepted"));
    await lost.makeDue(orderId);
    await createWorkerUnderTest(db.database, settledGateway).worker.workOn({ source: "default", orderId });
    expect((await lost.caseOf(orderId)).effects).toMatchObject([{ state: "succeeded" }]);

    await accepted(refuses);

    expect(await stops()).toEqual([]);
  });

  test("a status that shows other flights than those accepted counts as well", async () => {
    await accepted(refuses);
    await accepted(refuses);
    orderNumber += 1;
    const orderId = `BRAKE${orderNumber}`;
    const body = sampleNotification("minor-delay", { orderId, reference: `BRK${orderNumber}` });
    const gateway = createScriptedGateway(body);
    const other = sampleNotification("flight-number-only", { orderId, reference: `BRK${orderNumber}` });
    gateway.responses.push(async () => {
      gateway.status = settled(other, "Rejected");
      return succeeds(gateway.journal.at(-1)!.query);
    });
    const worker = createWorkerUnderTest(db.database, gateway);
    await worker.notify(body);
    await worker.work(orderId);
    for (let look = 0; look < 12; look++) {
      gateway.clock.aheadMs += 60_000;
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "awaiting-agent", effects: [{ state: "succeeded" }] });

    expect(await stops()).toEqual([["default", "outcomes"]]);
  });

  test("what a person sent does not count", async () => {
    await accepted(refuses);
    await accepted(refuses);
    await automation.stop({ actor: "person:ana", source: null, note: "for a moment" });
    const worker = await accepted(refuses);
    const orderId = `BRAKE${orderNumber}`;
    const { id } = await worker.caseOf(orderId);
    const by = { caseId: id, note: null, version: null, visible: null, actor: "person:ana" };
    expect(await worker.worker.act({ action: "accept", ...by })).toMatchObject({ outcome: "accepted" });
    await worker.work(orderId);

    expect((await worker.caseOf(orderId)).effects).toMatchObject([{ state: "failed" }]);
    expect(await stops()).toEqual([[null, "person"]]);
  });

  test("of outcomes that are saved at the same time, the third one stops it", async () => {
    let release: () => void = () => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = 0;
    const start = async () => {
      orderNumber += 1;
      const orderId = `BRAKE${orderNumber}`;
      const body = sampleNotification("minor-delay", { orderId, reference: `BRK${orderNumber}` });
      const gateway = createScriptedGateway(body);
      gateway.responses.push(async () => {
        arrived += 1;
        if (arrived === 3) release();
        await together;
        return refuses(gateway.journal.at(-1)!.query);
      });
      const worker = createWorkerUnderTest(db.database, gateway);
      await worker.notify(body);
      // On a slow machine the status may be too old to send anything.
      while (gateway.journal.length === 0) {
        await worker.makeDue(orderId);
        await worker.worker.workOn({ source: "default", orderId });
      }
    };
    await Promise.all([start(), start(), start()]);

    expect(await stops()).toEqual([["default", "outcomes"]]);
  });
});

describe("beside another stop", () => {
  test("that a person makes of the source, both are in force, and each is resumed by itself", async () => {
    for (const respond of [refuses, refuses, refuses]) await accepted(respond);
    await automation.stop({ actor: "person:ana", source: "default", note: "never automatically" });
    const brakes = (await automation.readStops()).find(({ cause }) => cause === "outcomes");

    await automation.resume({ actor: "person:rui", source: "default", stopId: brakes!.id });

    expect(await stops()).toEqual([["default", "person"]]);
    expect(await newest(await accepted(succeeds))).toMatchObject({ state: "awaiting-agent", effects: [] });
  });

  test("of all sources that a person ends, outcomes go on being counted", async () => {
    await accepted(refuses);
    await accepted(refuses);
    await automation.stop({ actor: "person:ana", source: null, note: "for a moment" });
    await automation.resume({ actor: "person:ana", source: null });

    await accepted(refuses);

    expect(await stops()).toEqual([["default", "outcomes"]]);
  });

  test("by the limit of an hour, outcomes stop the source as well", async () => {
    for (const respond of [refuses, refuses, refuses]) await accepted(respond, { hourlyLimitOf: () => 3 });

    expect(await stops()).toEqual([
      ["default", "hourly-limit"],
      ["default", "outcomes"],
    ]);
  });
});

describe("after a resumption", () => {
  test("the count begins anew, and cases that waited only because of the stop are decided again", async () => {
    for (const respond of [refuses, refuses, refuses]) await accepted(respond);
    const waiting = await accepted(succeeds);
    const orderId = `BRAKE${orderNumber}`;

    expect(await resume()).toMatchObject({ outcome: "resumed", ended: [{ cause: "outcomes" }], casesDue: 1 });
    await waiting.work(orderId);
    expect(await waiting.caseOf(orderId)).toMatchObject({ state: "done" });
    await accepted(refuses);
    await accepted(refuses);
    expect(await stops()).toEqual([]);
    await accepted(refuses);

    expect(await stops()).toEqual([["default", "outcomes"]]);
  });
});

describe("a limit of automatic effects per hour", () => {
  const limited = { hourlyLimitOf: () => 3 };

  test("lets so many be sent, and stops automation of the source with the last of them", async () => {
    await accepted(succeeds, limited);
    await accepted(succeeds, limited);
    expect(await stops()).toEqual([]);

    expect(await newest(await accepted(succeeds, limited))).toMatchObject({ state: "done" });

    expect(await automation.readStops()).toMatchObject([
      { source: "default", cause: "hourly-limit", note: expect.stringMatching(/^3 automatic accepts and cancels/) },
    ]);
    expect(await newest(await accepted(succeeds, limited))).toMatchObject({ state: "awaiting-agent", effects: [] });
  });

  test("counts an effect once, however often nothing of it is carried out", async () => {
    const worker = await accepted(isDown, limited);
    const orderId = `BRAKE${orderNumber}`;
    for (let look = 0; look < 4; look++) {
      await worker.makeDue(orderId);
      await worker.work(orderId);
    }

    expect(await stops()).toEqual([]);
  });

  test("counts those of the last hour since the last resumption", async () => {
    const before = { ...limited, clock: { now: () => new Date(Date.now() - 61 * 60_000) } };
    for (const changes of [before, before, limited, limited]) await accepted(succeeds, changes);

    expect(await stops()).toEqual([]);
  });

  test("holds when more than that are planned at the same time", async () => {
    await Promise.all(Array.from({ length: 6 }, () => accepted(succeeds, limited)));
    // On a slow machine some of them may not have been sent.
    for (let more = 0; more < 3; more++) await accepted(succeeds, limited);
    const { rows } = await db.ownerDatabase.pool.query<{ count: number }>(
      "select count(*)::int as count from skedchange.effects where state = 'succeeded' and planned_at > (select max(resumed_at) from skedchange.automation_stops)",
    );

    expect(rows[0]!.count).toBeLessThanOrEqual(3);
    expect(await stops()).toEqual([["default", "hourly-limit"]]);
  });
});
