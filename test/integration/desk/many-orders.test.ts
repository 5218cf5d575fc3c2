import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { sql } from "kysely";
import type { Gateway } from "../../../src/desk/ports.ts";
import type { SealedRow } from "../../../src/store/sealing.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createDeskUnderTest } from "../../harness/desk.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
afterEach(async () => {
  await sql`truncate skedchange.cases, skedchange.orders, skedchange.notifications, skedchange.notification_digests cascade`.execute(
    db.ownerDatabase.kysely,
  );
});

/** Shows each order as the minor delay has it. */
const gateway: Gateway = {
  ...createScriptedGateway(sampleNotification("minor-delay")),
  airReservationStatus: (query) => {
    const [reference = ""] = query.gdsBookingReferences;
    const status = sampleNotification("minor-delay", { orderId: query.orderId, reference });
    return createScriptedGateway(status).airReservationStatus(query);
  },
};

/** A minor delay of so many orders on the same flights: `<prefix>0`, `<prefix>1` … */
function notificationOf(prefix: string, count: number) {
  const body = sampleNotification("minor-delay");
  const [order] = body.OrderViewRS.Order;
  body.OrderViewRS.Order = Array.from({ length: count }, (_, index) => ({ ...order, OrderID: `${prefix}${index}` }));
  return body;
}

describe("a notification of many orders", () => {
  test("is opened and parsed once for all of them", async () => {
    let opened = 0;
    const { sealing } = db.database;
    const open = async (row: SealedRow): Promise<Buffer> => {
      opened += 1;
      return await sealing.open(row);
    };
    const desk = createDeskUnderTest({ ...db.database, sealing: { ...sealing, open } }, gateway);
    await desk.notify(notificationOf("MANY", 20));

    const keys = await desk.desk.takeDue(64);
    await Promise.all(keys.map((key) => desk.desk.workOn(key)));

    expect(keys).toHaveLength(20);
    const { rows } = await db.database.pool.query(
      "select distinct c.state, d.itineraries -> 'proposed' is not null as assessed from skedchange.cases c join skedchange.decisions d on d.id = c.decision_id",
    );
    expect(rows).toEqual([{ state: "done", assessed: true }]);
    expect(opened).toBe(1);
  });
});
