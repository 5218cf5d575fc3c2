import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { sampleNotification, withDeparture } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test("a status that was under way for twenty seconds is read again before anything is accepted by it", async () => {
  const orderId = "LATE1";
  const body = sampleNotification("minor-delay", { orderId, reference: "REF1" });
  const gateway = createScriptedGateway(body);
  const worker = createWorkerUnderTest(db.database, gateway);
  await worker.notify(body);
  const read = gateway.airReservationStatus;
  gateway.airReservationStatus = async (query) => {
    const response = await read(query);
    // The airline proposes other flights meanwhile. `readAt` is when the response arrived, as the client of the gateway has it.
    gateway.clock.aheadMs += 20_000;
    gateway.status = withDeparture(body, "10:10:00");
    return { ...response, readAt: gateway.clock.now() };
  };

  await worker.worker.workOn({ source: "default", orderId });

  expect(gateway.journal).toEqual([]);
});
