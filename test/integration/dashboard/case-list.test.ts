import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { caseList, caseSearchPage } from "../../../src/dashboard/api/responses.ts";
import { caseDetail } from "../../../src/dashboard/case-ports.ts";
import { known } from "../../../src/kernel/fact.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { isOfVisibleSource } from "../../../src/store/database/visible-rows.ts";
import { anItinerary, insertCase, insertDecision } from "../../builders/case-rows.ts";
import { aSmallDelay } from "../../builders/severity-facts.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type DashboardServer, startDashboard } from "./dashboard-server.ts";

let database: TestDatabase;
let server: DashboardServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startDashboard({ queries: createCaseQueries(database.database, dialect) });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});
afterEach(async () => {
  await sql`truncate skedchange.cases, skedchange.orders cascade`.execute(database.ownerDatabase.connection);
});

async function list(query: Record<string, string>) {
  const response = await server.request(`/api/v1/cases?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  return caseList.parse(await response.json());
}

async function ordersOf(query: Record<string, string>): Promise<string[]> {
  const page = await list(query);
  return page.items.map(({ orderId }) => orderId).sort();
}

describe("searching cases", () => {
  const seed = async (): Promise<void> => {
    const owner = database.ownerDatabase;
    await insertCase(owner, {
      orderId: "QX7R2M1A",
      gdsBookingReferences: ["LHSKD1", "ZZ9PLU"],
      headline: "LH1167 LIS–FRA on 2027-03-14 leaves 20 min later",
    });
    await insertCase(owner, { orderId: "100%_OFF", gdsBookingReferences: ["AB\\12"], headline: "Nothing changes" });
    await insertCase(owner, { orderId: "OTHER", gdsBookingReferences: [], headline: null });
  };

  test.each([
    ["the beginning of an order id, in any case", "qx7r", ["QX7R2M1A"]],
    ["the middle of an order id", "7R2M", ["QX7R2M1A"]],
    ["the end of a booking reference", "9PLU", ["QX7R2M1A"]],
    ["all words, each wherever it stands", " 2m1a  lhskd1 ", ["QX7R2M1A"]],
    ["nothing when one word is missing", "lhskd1 earlier", []],
    ["nothing by two characters of an id", "X7", []],
    ["a percent sign as itself", "100%", ["100%_OFF"]],
    ["not a percent sign as a wildcard", "%", []],
    ["not an underscore as a wildcard", "QX7_2M1A", []],
    ["a backslash as itself", "ab\\", ["100%_OFF"]],
  ])("finds %s", async (_, q, expected) => {
    await seed();

    expect(await ordersOf({ q })).toEqual(expected);
  });

  test("goes together with the other filters", async () => {
    const owner = database.ownerDatabase;
    await insertCase(owner, { orderId: "AAA1", state: "awaiting-agent", reviewQueue: "agent" });
    await insertCase(owner, { orderId: "AAA2", state: "awaiting-agent", reviewQueue: "reschedule" });
    await insertCase(owner, { orderId: "BBB1", state: "awaiting-agent", reviewQueue: "reschedule" });

    expect(await ordersOf({ queue: "reschedule" })).toEqual(["AAA2", "BBB1"]);
    expect(await ordersOf({ queue: "reschedule", q: "aaa", state: "awaiting-agent" })).toEqual(["AAA2"]);
  });

  test.each([
    ["an empty search", { q: " " }, "'q' must not be empty"],
    ["a search of 101 characters", { q: "a".repeat(101) }, "'q' is too long"],
    ["a search of nine words", { q: "a b c d e f g h i" }, "'q' must have at most 8 words"],
    ["a NUL", { q: "a\0b" }, "'q' must not contain a NUL"],
    ["an unknown order", { order: "oldest" }, "'order' must be one of newest, due"],
  ])("refuses %s", async (_, query, detail) => {
    const response = await server.request(`/api/v1/cases?${new URLSearchParams(query as Record<string, string>)}`);

    const problem = problemSchema.parse(await response.json());
    expect(problem).toMatchObject({ status: 400, code: "api.query_invalid" });
    expect(problem.detail).toContain(detail);
  });
});

describe("a search for a traveller", () => {
  const search = async (body: object) => {
    const response = await server.request("/api/v1/cases/search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return caseSearchPage.parse(await response.json());
  };

  test("goes into the audit once, without what was searched for, and one for a flight or by filters does not", async () => {
    await insertCase(database.ownerDatabase, { orderId: "MUELLER7" });

    const first = await search({ text: "Mueller" });
    await search({ text: "Mueller" });
    await search({ text: "LH1167" });
    await search({ states: ["received"] });

    expect(first).toMatchObject({ items: [{ orderId: "MUELLER7" }], total: { count: 1, isCapped: false } });
    const { rows } = await sql`
      select actor, refs, order_id, detail_digest from skedchange.audit_entries where kind = 'traveller.searched'
    `.execute(database.ownerDatabase.connection);
    expect(rows).toEqual([{ actor: "person:api", refs: { found: "1" }, order_id: null, detail_digest: null }]);
  });

  test("takes every filter at once", async () => {
    const page = await search({
      text: "mueller",
      states: ["received"],
      source: "default",
      queue: "agent",
      assignee: "none",
      overdue: true,
      flight: "lh 1167",
      flightDate: "2027-03-14",
      severities: ["major"],
      airline: "lh",
      airport: "fra",
      route: "fra-jfk",
      rule: "r",
      reason: "c",
      departsFrom: "2027-01-01T00:00:00Z",
      departsBefore: "2027-02-01T00:00:00Z",
      value: { currency: "EUR", min: "1.50", max: "2000" },
      order: "deadline",
    });

    expect(page).toEqual({ items: [], nextCursor: null, total: { count: 0, isCapped: false } });
  });

  test.each([
    ["a route of one airport", { route: "FRA" }],
    ["an amount as a number", { value: { currency: "EUR", min: 5 } }],
    ["an unknown member", { name: "Mueller" }],
  ])("refuses %s", async (_, body) => {
    const response = await server.request("/api/v1/cases/search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

    expect(problemSchema.parse(await response.json())).toMatchObject({ status: 422, code: "api.body_invalid" });
  });
});

describe("cases by urgency", () => {
  test.each(["due", "deadline"])("come overdue ones first, then by the clock, then by priority (%s)", async (order) => {
    const now = Date.now();
    const after = (minutes: number) => new Date(now + minutes * 60_000);
    const cases: readonly (readonly [string, number, Date | null])[] = [
      ["NO-CLOCK", 0, null],
      ["NO-CLOCK-LESS-URGENT", 5, null],
      ["IN-4-HOURS", 1, after(240)],
      ["IN-4-HOURS-LESS-URGENT", 2, after(240)],
      ["IN-16-MINUTES", 5, after(16)],
      ["OVERDUE", 9, after(-1)],
      ["LONGER-OVERDUE", 9, after(-600)],
    ];
    for (const [orderId, priority, dueBy] of cases) {
      const clock = dueBy === null ? {} : { dueBy };
      await insertCase(database.ownerDatabase, { orderId, state: "awaiting-agent", priority, ...clock });
    }

    const page = await list({ order });

    expect(page.items.map(({ orderId }) => orderId)).toEqual([
      "LONGER-OVERDUE",
      "OVERDUE",
      "IN-16-MINUTES",
      "IN-4-HOURS",
      "IN-4-HOURS-LESS-URGENT",
      "NO-CLOCK",
      "NO-CLOCK-LESS-URGENT",
    ]);
  });

  test("are paged without repeating or skipping one while others are added and finished", async () => {
    const owner = database.ownerDatabase;
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      ids.push(
        await insertCase(owner, {
          priority: index % 2 === 0 ? 3 : 5,
          ...(index < 2 ? {} : { dueBy: `2026-11-20T10:00:00.00000${Math.floor(index / 4)}Z` }),
        }),
      );
    }
    const seen: string[] = [];
    let cursor: string | null = null;

    do {
      const page = await list({ order: "due", limit: "3", ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      await insertCase(owner, { priority: 0, dueBy: "2026-11-20T09:00:00Z" });
    } while (cursor !== null);

    expect(seen).toHaveLength(8);
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  test("do not take a cursor of the list by age", async () => {
    const owner = database.ownerDatabase;
    await insertCase(owner);
    await insertCase(owner);
    const { nextCursor } = await list({ limit: "1" });

    const response = await server.request(`/api/v1/cases?order=due&cursor=${nextCursor}`);

    expect(problemSchema.parse(await response.json())).toMatchObject({ status: 400, code: "api.cursor_invalid" });
  });

  test.each([
    ["by users who see all sources", null, "cases_by_urgency"],
    ["by users who see some", ["default", "other"], "cases_one_open_per_order"],
  ])("are read from an index while they are open, %s", async (_who, visible, index) => {
    await insertCase(database.ownerDatabase, { state: "awaiting-agent" });
    const { rows } = await inTransaction(database.ownerDatabase, async (transaction) => {
      // A table this small is read faster as a whole; this asks whether the index could serve.
      await sql`set local enable_seqscan = off`.execute(transaction);
      return await sql<{ "QUERY PLAN": string }>`
        explain select id from skedchange.cases c
        where (coalesce(c.due_by, '9999-12-31 00:00:00+00'::timestamptz), c.priority, c.id) >
            (now(), 0::smallint, gen_random_uuid())
          and c.state = any('{awaiting-agent,awaiting-traveller}'::text[])
          and ${isOfVisibleSource(sql`c.source`, visible)}
        order by coalesce(c.due_by, '9999-12-31 00:00:00+00'::timestamptz), c.priority, c.id limit 51
      `.execute(transaction);
    });

    expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toContain(index);
  });
});

describe("what a list shows of a change", () => {
  test("is its severity, its route and the times of the flights that change", async () => {
    const id = await insertCase(database.ownerDatabase, {
      state: "awaiting-agent",
      departureAt: new Date("2026-12-01T09:00:00Z"),
    });
    await insertDecision(database.ownerDatabase, id, { facts: { ...aSmallDelay(), airportChanged: known(true) } });
    const shown = {
      severity: "major",
      severityFacts: ["airportChanged"],
      route: "FRA–JFK",
      times: [
        {
          flight: "LH400",
          bookedDeparture: "2026-12-01T10:00",
          proposedDeparture: "2026-12-01T10:45",
          bookedArrival: "2026-12-01T18:00",
          proposedArrival: "2026-12-01T18:00",
        },
      ],
    };

    const page = await list({});
    const response = await server.request(`/api/v1/cases/${id}`);

    expect(page.items[0]).toMatchObject(shown);
    expect(caseDetail.parse(await response.json())).toMatchObject({
      ...shown,
      difference: {
        journeys: [
          {
            origin: "FRA",
            destination: "JFK",
            flights: [{ action: "retimed", departureShift: { minutes: known(45), wallClockMinutes: known(45) } }],
          },
        ],
      },
    });
  });

  test("is null before there is a decision, and has no flights when none changes", async () => {
    const owner = database.ownerDatabase;
    await insertCase(owner, { orderId: "UNDECIDED", openedAt: "2026-11-20T12:00:00Z" });
    const same = await insertCase(owner, { orderId: "SAME", openedAt: "2026-11-20T10:00:00Z" });
    const flights = anItinerary("10:00");
    await insertDecision(owner, same, { itineraries: { booked: flights, accepted: flights, proposed: flights } });

    const [undecided, unchanged] = (await list({})).items;

    expect(undecided).toMatchObject({
      orderId: "UNDECIDED",
      severity: null,
      severityFacts: [],
      route: null,
      times: null,
    });
    expect(unchanged).toMatchObject({ orderId: "SAME", route: null, times: [] });
  });
});
