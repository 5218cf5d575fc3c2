import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openOrders } from "../../../src/app/orders.ts";
import { orderImportResponse } from "../../../src/dashboard/api/order-routes.ts";
import { orderDetail } from "../../../src/dashboard/order-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMemberRecorder } from "../../../src/worker/member-recorder.ts";
import { queriesWith } from "../../builders/case-response.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";
import { upcoming } from "../../builders/upcoming.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { createScriptedGateway } from "../../harness/scripted-gateway.ts";
import { createWorkerUnderTest, type WorkerUnderTest } from "../../harness/worker.ts";
import { runCaptured } from "../../unit/cli/captured-terminal.ts";
import { type DashboardServer, startDashboard } from "../dashboard/dashboard-server.ts";

let db: TestDatabase;
let server: DashboardServer;
let folder: string;
let worker: WorkerUnderTest;
let orderId: string;
let orderNumber = 0;
let isLearning = false;
const recorder = createMemberRecorder();

beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "skedchange-orders-"));
  const orders = openOrders({
    database: db.database,
    sources: [{ id: "default" }],
    clock: systemClock,
    onDue: () => {},
    logger: silentLogger,
    recorder,
    learningOf: () => (isLearning ? { observed: 0, wanted: 2 } : null),
  });
  server = await startDashboard({ queries: queriesWith([]), orders });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
  await db.drop();
});
beforeEach(() => {
  orderNumber += 1;
  orderId = `SOLD${orderNumber}`;
});

const flightDate = upcoming("2027-03-14");

/** LIS-FRA-JFK as the samples book it, leaving at the time that was sold. */
function sold(departureTime = "06:40", id = orderId) {
  const flight = (from: string, time: string, to: string, arrival: string, marketingFlightNumber: string) => ({
    departure: { airport: from, date: flightDate, time },
    arrival: { airport: to, date: flightDate, time: arrival },
    marketingCarrier: "LH",
    marketingFlightNumber,
  });
  return {
    orderId: id,
    gdsBookingReferences: [`REF${orderNumber}`],
    segments: [flight("LIS", departureTime, "FRA", "11:20", "1167")],
  };
}

async function post(body: object): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await server.request("/api/v1/orders", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function importing(order: object, options: object = {}): Promise<string> {
  const response = await post({ orders: [order], ...options });
  expect(response.status).toBe(200);
  return orderImportResponse.parse(response.body).results[0]!.outcome;
}

async function stored() {
  const response = await server.request(`/api/v1/orders/${orderId}`);
  return response.status === 200 ? orderDetail.parse(await response.json()) : null;
}

async function notified(): Promise<void> {
  const body = sampleNotification("misconnection", { orderId, reference: `REF${orderNumber}` });
  worker = createWorkerUnderTest(db.database, createScriptedGateway(body));
  await worker.notify(body);
}

async function baseline(): Promise<unknown> {
  return (await worker.caseOf(orderId)).facts?.baseline;
}

describe("POST /api/v1/orders", () => {
  test("states what was sold, and changes are then compared with it", async () => {
    expect(await importing(sold("06:40"))).toBe("added");
    expect(await stored()).toMatchObject({
      bookedFrom: "import",
      gdsBookingReferences: [`REF${orderNumber}`],
      importedBy: "person:api",
      accepted: null,
      cases: [],
    });

    await notified();
    await worker.work(orderId);

    expect(await baseline()).toEqual({ known: true, value: "imported" });
    const { itineraries } = await worker.caseOf(orderId);
    expect(itineraries.booked?.segments[0]?.departure.time).toBe("06:40");
  });

  test("changes nothing when the same is stated again, or in a dry run", async () => {
    expect(await importing(sold(), { dryRun: true })).toBe("added");
    expect(await stored()).toBeNull();
    await importing(sold());

    expect(await importing(sold())).toBe("unchanged");
    expect(await importing(sold("06:00"), { dryRun: true })).toBe("replaced");

    expect((await stored())?.booked?.segments[0]).toMatchObject({ departure: { time: "06:40" } });
    const { rows } = await db.ownerDatabase.pool.query("select * from skedchange.order_imports where order_id = $1", [
      orderId,
    ]);
    expect(rows).toHaveLength(1);
  });

  test("keeps booked flights that decisions rest on, unless they are to be replaced, and records that", async () => {
    await notified();
    await worker.work(orderId);
    expect(await baseline()).toEqual({ known: true, value: "notice" });
    const { version } = await worker.caseOf(orderId);

    expect(await importing(sold())).toBe("kept");
    expect((await worker.caseOf(orderId)).version).toBe(version);
    expect(await importing(sold(), { replace: true })).toBe("replaced");

    await worker.work(orderId);
    expect(await baseline()).toEqual({ known: true, value: "imported" });
    const after = await worker.caseOf(orderId);
    expect(after.timeline).toContainEqual(
      expect.objectContaining({
        kind: "order.imported",
        actor: "person:api",
        detail: { replacedFrom: "notification" },
      }),
    );
    const { rows } = await db.ownerDatabase.pool.query(
      "select replaced_from, was_decided_on, replaced is not null as has_replaced from skedchange.order_imports where order_id = $1",
      [orderId],
    );
    expect(rows).toEqual([{ replaced_from: "notification", was_decided_on: true, has_replaced: true }]);
  });

  test("ends the work that rests on other booked flights, and the next one begins with those that were stated", async () => {
    await notified();
    const key = { source: "default", orderId };
    const taken = await worker.context.store.take(key, "slow", 60_000);
    await taken?.context;

    expect(await importing(sold())).toBe("added");

    expect(await worker.context.store.renewLease(taken!.lease, 60_000)).toBe(false);
    await worker.work(orderId);
    expect(await baseline()).toEqual({ known: true, value: "imported" });
  });

  test("takes the place of a status that no decision rests on", async () => {
    await db.ownerDatabase.pool.query(
      `insert into skedchange.orders (source, order_id, booked_itinerary, booked_from)
       values ('default', $1, '{"segments": [], "journeys": []}', 'status')`,
      [orderId],
    );

    expect(await importing(sold())).toBe("replaced");
    expect(await stored()).toMatchObject({ bookedFrom: "import" });
  });

  test("never touches what was accepted", async () => {
    const accepted = '{"segments": [], "journeys": []}';
    await db.ownerDatabase.pool.query(
      "insert into skedchange.orders (source, order_id, accepted_itinerary) values ('default', $1, $2)",
      [orderId, accepted],
    );

    await importing(sold(), { replace: true });

    expect((await stored())?.accepted).toEqual(JSON.parse(accepted));
  });

  test("says per order what cannot have been sold, and takes the others", async () => {
    const backwards = sold("12:00", `${orderId}X`);

    const response = await post({ orders: [backwards, sold()] });

    expect(orderImportResponse.parse(response.body).results).toMatchObject([
      { outcome: "refused", message: expect.stringContaining("/segments/0/arrival is not after the departure") },
      { outcome: "added" },
    ]);
  });

  test("two imports of one order at once leave one of them", async () => {
    const outcomes = await Promise.all([importing(sold("06:00")), importing(sold("06:30"))]);

    expect(outcomes.toSorted()).toEqual(["added", "replaced"]);
  });

  test.each([
    ["api.body_invalid", { orders: [] }],
    ["api.body_invalid", { orders: [{ orderId: "A", gdsBookingReferences: [], segments: [] }] }],
    ["api.unknown_source", { source: "nobody", orders: [sold("06:40", "A")] }],
  ])("refuses with %s: %j", async (code, body) => {
    expect(await post(body)).toMatchObject({ status: 422, body: { code } });
  });

  test("refuses the same order twice in one request", async () => {
    expect(await post({ orders: [sold(), sold("07:00")] })).toMatchObject({
      status: 422,
      body: { code: "api.body_invalid" },
    });
  });

  test("gets a 404 for an order that nobody knows", async () => {
    expect((await server.request("/api/v1/orders/NOBODYS")).status).toBe(404);
  });
});

describe("what an imported order view states and nobody reads", () => {
  const importView = async (further: object, options: readonly string[] = []) => {
    const view = sampleNotification("minor-delay", { orderId, reference: `REF${orderNumber}` });
    Object.assign(view.OrderViewRS.Order[0]!, further);
    const { exitCode } = await runCaptured(["orders", "import", "-", ...options, "--url", server.url], {
      stdin: JSON.stringify(view),
    });
    expect(exitCode).toBe(0);
  };
  const observed = async () => {
    const { rows } = await db.ownerDatabase.pool.query<{ path: string }>(
      "select path, class, example, views::integer from skedchange.observed_members where value_digest = '' and path like 'Order.Tours%' order by path",
    );
    return rows;
  };
  const learned = async () => {
    const { rows } = await db.ownerDatabase.pool.query<{ order_id: string }>(
      "select order_id from skedchange.learning_orders where order_id = $1",
      [orderId],
    );
    return rows.length;
  };
  beforeEach(async () => {
    await db.ownerDatabase.pool.query("delete from skedchange.observed_members");
    isLearning = false;
  });

  test("is recorded as from a status, once however many orders state it", async () => {
    await importView({ ToursId: "TOUR-99887766-1" });
    orderNumber += 1;
    orderId = `SOLD${orderNumber}`;
    await importView({ ToursId: "TOUR-99887766-2", ToursKind: "Guided" });

    expect(await observed()).toEqual([
      { path: "Order.ToursId", class: "other", example: "XXXX-99999999-9", views: 1 },
      { path: "Order.ToursKind", class: "code", example: "Guided", views: 1 },
    ]);
    expect(recorder.takeCounts()).toContainEqual(expect.objectContaining({ path: "Order.ToursId", views: 1 }));
  });

  test("is not recorded by a dry run", async () => {
    await importView({ ToursDay: "TOUR-99887766-1" }, ["--dry-run"]);

    expect(await observed()).toEqual([]);
  });

  test("counts the order for a source that learns, which flights alone do not", async () => {
    isLearning = true;
    await db.ownerDatabase.pool.query(
      "insert into skedchange.source_learning (source, began_at) values ('default', now()) on conflict do nothing",
    );
    await importing(sold());
    expect(await learned()).toBe(0);

    await importView({});
    expect(await learned()).toBe(1);
  });
});

describe("what a client of its own says that a view stated", () => {
  const statement = (changes: object) => ({
    path: "Order.Guides.Kind",
    valueDigest: null,
    class: "code",
    word: null,
    example: null,
    ...changes,
  });
  const digest = "0123456789abcdef0123456789abcdef";
  const stating = (...statements: readonly object[]) => ({ ...sold(), observed: { statements, isUnchanged: true } });
  const observedRows = async () => {
    const { rows } = await db.ownerDatabase.pool.query<{ path: string; class: string; example: string | null }>(
      "select path, value_digest as digest, class, word, example from skedchange.observed_members order by path, value_digest",
    );
    return rows;
  };
  beforeEach(async () => {
    await db.ownerDatabase.pool.query("delete from skedchange.observed_members");
    isLearning = false;
  });

  test.each<[string, object]>([
    ["a path with a control character", { path: "Order.A\u0000" }],
    ["a path of more than 600 bytes", { path: `Order.${"予".repeat(199)}` }],
    ["an example with a control character", { example: "A\u0000" }],
    ["a word with a control character", { word: "A\u0000", class: "stop" }],
  ])("is refused with %s, and nothing is stored", async (_, changes) => {
    expect(await post({ orders: [stating(statement(changes))] })).toMatchObject({
      status: 422,
      body: { code: "api.body_invalid" },
    });
    expect([await stored(), await observedRows()]).toEqual([null, []]);
  });

  test("is taken with a path of 600 bytes", async () => {
    const path = `Order.${"予".repeat(198)}`;

    await importing(stating(statement({ path })));

    expect(await observedRows()).toMatchObject([{ path }]);
  });

  test("shows nothing of a traveller, whatever it holds", async () => {
    const text = "JOHN DOE passport P1234567";
    await importing(
      stating(
        statement({ path: "Order.GuidesA", class: "other", example: text }),
        statement({ path: "Order.GuidesB", example: text }),
        statement({ path: "Order.GuidesC", class: "stop", word: text, example: "Guided" }),
        statement({ path: "Order.GuidesD", class: "other", example: "DOE" }),
      ),
    );

    expect(await observedRows()).toMatchObject([
      { example: "XXXX XXX xxxxxxxx X9999999", word: null },
      { example: "XXXX XXX xxxxxxxx X9999999", word: null },
      { example: "Guided", word: null },
      { example: "XXX", word: null },
    ]);
  });

  test("keeps a word for an order to stop, which makes it one", async () => {
    await importing(
      stating(statement({ class: "other", word: "contact" }), statement({ valueDigest: digest, word: "HX" })),
    );

    expect(await observedRows()).toMatchObject([
      { class: "stop", word: "contact" },
      { class: "stop", word: "HX" },
    ]);
  });

  test.each(["stop", "code"])("takes no class from what is stored as %s", async (stored) => {
    const path = `Order.Guides.${stored}Kind`;
    const both = (kind: string) => [null, digest].map((valueDigest) => statement({ path, class: kind, valueDigest }));
    await importing(stating(...both(stored)));

    await importing(stating(...both("other")));

    expect((await observedRows()).map((row) => row.class)).toEqual([stored, stored]);
  });

  test("leaves half of the paths of a source to what workers see", async () => {
    await db.ownerDatabase.pool.query(
      `insert into skedchange.observed_members (source, path, value_digest, class, first_seen_at)
       select 'default', 'Order.Trips' || at, '', 'code', now() from generate_series(1, 999) as at`,
    );

    await importing(stating(statement({ path: "Order.GuidesY" }), statement({ path: "Order.GuidesZ" })));

    const guides = (await observedRows()).filter(({ path }) => path.startsWith("Order.Guides"));
    expect(guides).toMatchObject([{ path: "Order.GuidesY" }]);
    const body = sampleNotification("misconnection", { orderId, reference: `REF${orderNumber}` });
    Object.assign(body.OrderViewRS.Order[0]!, { GuidesZ: "Guided" });
    const seeing = createWorkerUnderTest(db.database, createScriptedGateway(body), { recorder });
    await seeing.notify(body);
    await seeing.work(orderId);
    expect((await observedRows()).map(({ path }) => path)).toContain("Order.GuidesZ");
  });

  test("fails no request whose flights are stored", async () => {
    await db.ownerDatabase.pool.query("revoke insert on skedchange.observed_members from skedchange_service");
    try {
      expect(await importing(stating(statement({ path: "Order.GuidesX" })))).toBe("added");
    } finally {
      await db.ownerDatabase.pool.query("grant insert on skedchange.observed_members to skedchange_service");
    }
    expect([(await stored())?.bookedFrom, await observedRows()]).toEqual(["import", []]);
  });
});

describe("skedchange orders import", () => {
  const run = (args: readonly string[], stdin = "") =>
    runCaptured(["orders", "import", ...args, "--url", server.url], { stdin });
  const header =
    "OrderID,GdsBookingReference,Departure,DepartureDate,DepartureTime,Arrival,ArrivalDate,ArrivalTime,MarketingCarrier,FlightNumber";
  const line = (id: string, time = "07:10") => `${id},LHSKD1,LIS,${flightDate},${time},FRA,${flightDate},11:20,LH,1167`;

  test("imports a file of many orders, and again without a change", async () => {
    const file = join(folder, "orders.csv");
    const ids = Array.from({ length: 250 }, (_, index) => `${orderId}-${index}`);
    await writeFile(file, [header, ...ids.map((id) => line(id)), ""].join("\n"));

    expect((await run([file, "--dry-run"])).stdout).toBe(
      "Dry run: 250 added, 0 replaced, 0 unchanged, 0 kept, 0 refused.\n",
    );
    const first = await run([file]);
    expect(first).toMatchObject({ exitCode: 0 });
    expect(first.stdout).toContain("250 added, 0 replaced");
    expect((await run([file])).stdout).toContain("0 added, 0 replaced, 250 unchanged");
  });

  test("reads from stdin, names what is wrong with which line, and ends with 1", async () => {
    const { exitCode, stdout, stderr } = await run(["-"], [header, line(orderId), line("BAD", "7:10")].join("\n"));

    expect(exitCode).toBe(1);
    expect(stdout).toContain("1 added, 0 replaced, 0 unchanged, 0 kept, 1 refused.");
    expect(stderr).toContain("line 3: BAD refused: line 3: DepartureTime must be a time as hh:mm");
    expect(await stored()).toMatchObject({ bookedFrom: "import" });
  });

  test.each(["from stdin", "from a file", "from a pipe"])(
    "takes no part of an order whose lines do not follow each other, read %s",
    async (origin) => {
      const other = `${orderId}-OTHER`;
      const back = line(orderId).replace("LIS", "FRA").replace(`,FRA,${flightDate},11:20`, `,LIS,${flightDate},13:20`);
      const text = [header, line(orderId), line(other), back].join("\n");
      const file = join(folder, `${orderId}.csv`);
      let written: Promise<unknown> | null = null;
      if (origin === "from a pipe") {
        execFileSync("sh", ["-c", 'mkfifo "$0"', file]);
        written = writeFile(file, text);
      } else {
        await writeFile(file, text);
      }

      const { exitCode, stdout, stderr } = await run([origin === "from stdin" ? "-" : file], text);

      await written;
      expect(exitCode).toBe(1);
      expect(stdout).toContain("1 added, 0 replaced, 0 unchanged, 0 kept, 2 refused.");
      expect(stderr).toContain(`line 2: ${orderId} refused: OrderID: other lines of this order stand elsewhere`);
      expect(stderr).toContain(`line 4: ${orderId} refused: OrderID: other lines of this order stand elsewhere`);
      expect(await stored()).toBeNull();
    },
  );

  test("leaves nothing of what it reads from stdin behind", async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith("skedchange-input-"));

    await run(["-"], [header, line(orderId)].join("\n"));

    expect((await readdir(tmpdir())).filter((name) => name.startsWith("skedchange-input-"))).toEqual(before);
  });

  test("prints a line of JSON for each order", async () => {
    const { stdout } = await run(["-", "--json"], JSON.stringify(sold()));

    expect(JSON.parse(stdout)).toEqual({ line: 1, orderId, outcome: "added", message: null });
  });

  test("says when the file cannot be read", async () => {
    const { exitCode, stderr } = await run([join(folder, "missing.csv")]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("cannot be read: ENOENT");
  });
});
