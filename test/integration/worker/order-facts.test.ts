import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadPolicy } from "../../../src/policy/load-policy.ts";
import type { WorkerContext } from "../../../src/worker/worker-context.ts";
import { plain } from "../../builders/proposed-change.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withDelayTaken,
  withDeparture,
} from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let orderNumber = 0;
let orderId: string;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => {
  orderNumber += 1;
  orderId = `FACTS${orderNumber}`;
});

/** A fresh order with a change that is notified, shown by the gateway, and worked on. */
async function worked(
  sample: SampleName,
  prepare: (body: OrderViewBody) => OrderViewBody = (body) => body,
  changes: Partial<WorkerContext> = {},
): Promise<OrderViewBody> {
  const body = prepare(sampleNotification(sample, { orderId, reference: `FCT${orderNumber}` }));
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway, changes);
  await worker.notify(body);
  await worker.work(orderId);
  return body;
}

/** The airline proposes something else, and the worker works on it. */
async function proposedNext(body: OrderViewBody): Promise<void> {
  gateway.status = body;
  await worker.notify(body);
  await worker.work(orderId);
}

async function facts(): Promise<Record<string, unknown>> {
  return plain((await worker.caseOf(orderId)).facts ?? {});
}

describe("the facts of a decision", () => {
  test("state the order's value, its state and where the booked flights come from", async () => {
    await worked("misconnection");

    expect(await facts()).toMatchObject({
      orderValue: "980",
      currency: "USD",
      expectedRefund: "980",
      ticketed: true,
      held: false,
      orderStatus: "SUCCESS",
      paymentStatus: "PAID",
      baseline: "notice",
      noticeDays: "?traveller-not-informed",
      changeSequence: 1,
      supersedes: false,
      flappingCount: 0,
      alreadyAcceptedEarlier: false,
      changedAfterNotice: false,
    });
  });

  test("know the proposals before, open and accepted, over all cases of the order", async () => {
    const body = await worked("minor-delay", (sample) => withDeparture(sample, "09:10:00"));
    expect(await facts()).toMatchObject({ changeSequence: 1, supersedes: false });

    const delay = withDeparture(body, "07:30:00");
    await proposedNext(delay);
    expect(await worker.caseOf(orderId)).toMatchObject({ state: "done" });

    const taken = withDelayTaken(delay);
    const onward = structuredClone(delay).OrderViewRS.DataLists.ScheduleChangeSegmentList;
    taken.OrderViewRS.DataLists.ScheduleChangeSegmentList = onward;
    await proposedNext(withDeparture(taken, "10:10:00"));
    expect(await worker.casesOf(orderId)).toHaveLength(2);
    expect(await facts()).toMatchObject({
      baseline: "notice",
      changeSequence: 3,
      alreadyAcceptedEarlier: true,
      supersedes: false,
      // 09:10, then back to 07:30, then on to 10:10.
      flappingCount: 2,
    });

    await proposedNext(withDeparture(taken, "11:10:00"));
    expect(await facts()).toMatchObject({ changeSequence: 4, supersedes: true, flappingCount: 2 });
  });

  test("say when the gateway lists flights that nobody proposed", async () => {
    const body = await worked("minor-delay", (sample) => withDeparture(sample, "09:10:00"));

    const other = structuredClone(body);
    other.OrderViewRS.DataLists.FlightSegmentList.FlightSegment[0]!.Departure.Time = "06:00:00";
    gateway.status = other;
    await worker.notify({ ...body, again: null });
    await worker.work(orderId);

    expect(await facts()).toMatchObject({ changedAfterNotice: true });
  });

  test("rest on the connection times of the policy, and the decision names them", async () => {
    const connectionTimes = "{ overrides: [{ airport: JFK, leavingCarrier: AA, minutes: 15 }] }";
    const rules = "[{ name: all, when: true, do: review, reason: all }]";
    const loaded = loadPolicy(
      `version: 1\nname: own\nsettings: { connectionTimes: ${connectionTimes} }\nrules: ${rules}\n`,
      "own.yaml",
    );
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));

    await worked("misconnection");
    const usual = await facts();
    orderId = `${orderId}B`;
    await worked("misconnection", undefined, { policyOf: () => loaded.policy });

    expect(usual).toMatchObject({ connections: ["JFK 15 of 75 min DI"], connectionBroken: true });
    expect(await facts()).toMatchObject({ connections: ["JFK 15 of 15 min DI"], connectionBroken: false });
    const [decision] = (await worker.caseOf(orderId)).decisions;
    expect(decision?.versions).toMatchObject({ connectionTimes: loaded.policy.connectionTimes.version });
  });
});
