import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../src/store/database/database.ts";
import { fillWithCases } from "../../builders/many-cases.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../../harness/worker.ts";

let db: TestDatabase;
let admin: pg.Client;
let explained: Database;
const plans: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  admin = new pg.Client({ connectionString: db.adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>("select current_database() as name");
  for (const setting of [
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "client_min_messages = log",
  ]) {
    await admin.query(`alter database ${rows[0]!.name} set ${setting}`);
  }
  // One connection has all plans.
  explained = openDatabase({
    url: db.serviceUrl,
    applicationName: "explained",
    maxConnections: 1,
    plans: "by-key",
    onError: () => {},
  });
  explained.pool.on("connect", (client) => {
    client.on("notice", ({ message }) => plans.push(message ?? ""));
  });
});
afterAll(async () => {
  await explained.close();
  await admin.end();
  await db.drop();
});

/** From the notification to the case that is done. */
async function accept(orderId: string): Promise<void> {
  const change = sampleNotification("minor-delay", { orderId, reference: "REF1" });
  const { worker, notify } = createWorkerUnderTest(explained, createScriptedGateway(change));
  await notify(change);
  expect(await worker.takeDue(10)).toEqual([{ source: "default", orderId }]);
  expect(await worker.workOn({ source: "default", orderId })).toBe("carried-out");
}

// A plan for any values is kept, so one that was made for empty tables must not be used when they have grown.
test("a connection that planned its statements while the tables were empty reads no large table whole after they have grown", async () => {
  await accept("EMPTY1");
  await fillWithCases(admin, 20_000);
  plans.length = 0;

  await accept("FULL1");

  expect(plans.filter((plan) => plan.includes("Query Text"))).not.toEqual([]);
  const scanned = plans.flatMap((plan) => plan.match(/Seq Scan on (cases|orders|decisions|case_search)\b/g) ?? []);
  expect(scanned).toEqual([]);
  const { rows } = await explained.pool.query<{ custom: number }>(
    "select coalesce(sum(custom_plans), 0)::int as custom from pg_prepared_statements",
  );
  expect(rows).toEqual([{ custom: 0 }]);
}, 60_000);
