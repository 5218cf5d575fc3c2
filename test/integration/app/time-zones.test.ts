import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTimeZonesOf, loadTimeZones, openTimeZones, refreshTimeZones } from "../../../src/app/time-zones.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { activateTimeZones, activeTimeZones, offsetMs, shippedTimeZones } from "../../../src/travel/zones.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => activateTimeZones(shippedTimeZones));
afterAll(() => db.drop());

/** As the shipped one, but of another release, and Lisbon is an hour ahead of UTC all year. */
function aTable(release: string) {
  const { zones, ...rest } = shippedTimeZones.table;
  return { ...rest, release, zones: { ...zones, "Europe/Lisbon": { start: 60, changes: [] } } };
}

function load(document: unknown) {
  return loadTimeZones(document, { database: db.database, today: "2027-01-05" });
}

const january = Date.UTC(2027, 0, 20);

describe("time zones in the database", () => {
  test("are first those of the program", async () => {
    await openTimeZones(db.database);

    const { rows } = await db.database.pool.query("select version, began_by from skedchange.time_zone_terms");
    expect(rows).toEqual([{ version: shippedTimeZones.version, began_by: "shipped" }]);
    expect(activeTimeZones()).toBe(shippedTimeZones);
  });

  test("are those that an operator has loaded, in each process that runs or starts", async () => {
    const loaded = await load(aTable("2027a"));
    expect(activeTimeZones()).toBe(shippedTimeZones);

    await refreshTimeZones(db.database, silentLogger);

    expect(activeTimeZones().version).toBe(loaded.version);
    expect(offsetMs("Europe/Lisbon", january)).toBe(3_600_000);
    activateTimeZones(shippedTimeZones);
    await openTimeZones(db.database);
    expect(activeTimeZones().version).toBe(loaded.version);
  });

  test("are kept when others replace them, and found by the version that a decision names", async () => {
    const earlier = await load(aTable("2027b"));
    await load(shippedTimeZones.table);
    const timeZonesOf = createTimeZonesOf(db.database);

    expect((await timeZonesOf(earlier.version))!.offsetMs("Europe/Lisbon", january)).toBe(3_600_000);
    expect((await timeZonesOf(shippedTimeZones.version))!.offsetMs("Europe/Lisbon", january)).toBe(0);
    expect(await timeZonesOf("2025c")).toBeNull();
  });

  test.each([
    ["an older release", { ...aTable("2026a") }, "zones.older"],
    ["a table without an airport's zone", { ...aTable("2027c"), zones: {}, links: {} }, "zones.incomplete"],
    ["another document", { some: "thing" }, "zones.invalid"],
  ])("are not replaced by %s", async (_, document, code) => {
    await expect(load(document)).rejects.toMatchObject({ code });
  });
});
