import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { CaseCommand } from "../../../src/cases/case-command.ts";
import {
  type OrderViewBody,
  type SampleName,
  sampleNotification,
  withDeparture,
  withFlags,
} from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway, ScriptedFailure, type ScriptedGateway } from "../../harness/scripted-gateway.ts";
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
  orderId = `QUESTION${orderNumber}`;
});

async function notified(sample: SampleName): Promise<OrderViewBody> {
  const body = withFlags(sampleNotification(sample, { orderId, reference: `REF${orderNumber}` }), {
    Accept: "Y",
    Cancel: "Y",
    ReSchedule: "N",
  });
  gateway = createScriptedGateway(body);
  worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  return body;
}

async function act(command: CaseCommand): Promise<void> {
  const { id } = await worker.caseOf(orderId);
  const outcome = await worker.worker.act({
    ...command,
    caseId: id,
    note: null,
    version: null,
    visible: null,
    actor: "person:ana",
  });
  expect(outcome).toMatchObject({ outcome: "accepted" });
}

/** Of the decision in force. */
async function question(): Promise<string | null> {
  const { rows } = await db.ownerDatabase.pool.query<{ question: string | null }>(
    `select d.question from skedchange.decisions d join skedchange.cases c on c.decision_id = d.id where c.order_id = $1`,
    [orderId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.question;
}

test("what a rule sends to a person is no other question than the rule's", async () => {
  await notified("misconnection");

  await worker.work(orderId);

  expect(await question()).toBeNull();
});

test("after an effect that failed a person is asked about the effect, whoever has the case then", async () => {
  await notified("minor-delay");
  gateway.responses.push(async () => {
    throw new ScriptedFailure("responded", "gateway.refused", false);
  });

  await worker.work(orderId);
  expect(await question()).toBe("effect-outcome");

  await act({ action: "reschedule" });
  expect(await question()).toBe("effect-outcome");
});

test("a status that is refused, or does not show the order, is a question of its own", async () => {
  await notified("minor-delay");
  gateway.status = () => {
    throw new ScriptedFailure("responded", "gateway.refused", false);
  };
  await worker.work(orderId);
  expect(await question()).toBe("unreadable-status");

  orderId = `${orderId}B`;
  await notified("minor-delay");
  gateway.status = sampleNotification("minor-delay", { orderId: "ANOTHER", reference: "OTHER" });
  await worker.work(orderId);
  expect(await question()).toBe("unreadable-status");
});

test("a decision of a person that cannot be carried out as it was is asked about again", async () => {
  const body = await notified("misconnection");
  await worker.work(orderId);
  await act({ action: "accept" });
  expect(await question()).toBeNull();
  gateway.status = withDeparture(body, "10:10:00");

  await worker.work(orderId);

  expect(await question()).toBe("proposal-changed");
});
