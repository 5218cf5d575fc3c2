import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OrderViewBody, sampleNotification, withDeparture } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import {
  createScriptedGateway,
  result,
  ScriptedFailure,
  type ScriptedGateway,
} from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";

/** A notification of another change is acknowledged while a worker waits for the status that it then accepts by. */

let db: TestDatabase;
let orderNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

let orderId: string;
let reference: string;
let next: OrderViewBody;
let gateway: ScriptedGateway;
let worker: WorkerUnderTest;

beforeEach(async () => {
  orderNumber += 1;
  orderId = `READING${orderNumber}`;
  reference = `REF${orderNumber}`;
  const body = sampleNotification("minor-delay", { orderId, reference });
  // Three hours later: the policy asks a person about it.
  next = withDeparture(body, "10:10:00");
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);

  const read = gateway.readStatus;
  let isFirst = true;
  gateway.readStatus = async (query) => {
    const response = await read(query);
    if (isFirst) await worker.notify(next);
    isFirst = false;
    return response;
  };
});

test("a change that is notified while the status is read is worked on although the status after the accept fails once", async () => {
  gateway.responses.push(async () => {
    gateway.status = next;
    gateway.statusFailure = new ScriptedFailure("before-sending", "gateway.unreachable");
    return [result({ orderId, gdsBookingReferences: [reference] }, "SUCCESS")];
  });
  await worker.worker.workOn({ source: "default", orderId });
  gateway.statusFailure = null;

  for (let run = 0; run < 3; run++) {
    await worker.makeDue(orderId);
    await worker.work(orderId);
  }

  const lookedAt = (await worker.casesOf(orderId)).filter(
    ({ state, dueAt }) => state === "awaiting-agent" || dueAt !== null,
  );
  expect(lookedAt).toHaveLength(1);
});

test("nothing is accepted on a status that may be older than a notification that is on record by then", async () => {
  await worker.worker.workOn({ source: "default", orderId });

  expect(gateway.journal).toEqual([]);
});
