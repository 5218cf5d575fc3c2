import { AppError } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { counted } from "../kernel/counted.ts";
import type { Database } from "../store/database/database.ts";
import { createTimeZoneStore, type TimeZoneStore } from "../store/time-zones.ts";
import type { Logger } from "../telemetry/logger.ts";
import { airportCodes, airportOf } from "../travel/airports.ts";
import { isPackedZones, unpackZones } from "../travel/packed-zones.ts";
import { readZoneTable } from "../travel/read-zone-table.ts";
import { type TimeZones, timeZonesOf } from "../travel/zone-table.ts";
import { activateTimeZones, activeTimeZones, shippedTimeZones } from "../travel/zones.ts";

/**
 * Makes this process read local times with the table that is active in the database: the newest of those that programs
 * brought, unless an operator has loaded another one since.
 */
export async function openTimeZones(database: Pick<Database, "connection" | "pool">): Promise<void> {
  const store = createTimeZoneStore(database, systemClock);
  const { version, release, table } = shippedTimeZones;
  const active = await store.activate({
    version,
    content: table,
    by: "shipped",
    replaces: (other) => releaseOf(other) < release,
  });
  await follow(store, active);
}

/** Takes over what another process has activated. If that fails, the present table stays. */
export async function refreshTimeZones(database: Pick<Database, "connection" | "pool">, logger: Logger): Promise<void> {
  try {
    const store = createTimeZoneStore(database, systemClock);
    const active = await store.readActive();
    if (active === null || active.version === activeTimeZones().version) return;
    await follow(store, active.version);
    logger.info({ version: active.version }, "time_zones.in_force");
  } catch (error) {
    logger.error({ error }, "time_zones.refresh_failed");
  }
}

async function follow(store: TimeZoneStore, version: string): Promise<void> {
  if (version === activeTimeZones().version) return;
  const timeZones = await storedTimeZones(store, version);
  if (timeZones === null) throw new AppError("zones.not_kept", `Time zone table ${version} is not kept.`);
  activateTimeZones(timeZones);
}

/** The tables that decisions name, each read once. Null for one that is not kept, as of decisions before version 0.4.0. */
export function createTimeZonesOf(
  database: Pick<Database, "connection" | "pool">,
): (version: string) => Promise<TimeZones | null> {
  const store = createTimeZoneStore(database, systemClock);
  const read = new Map<string, TimeZones>();
  return async (version) => {
    const known = read.get(version) ?? (await storedTimeZones(store, version));
    if (known !== null) read.set(version, known);
    return known;
  };
}

async function storedTimeZones(store: TimeZoneStore, version: string): Promise<TimeZones | null> {
  const loaded = [activeTimeZones(), shippedTimeZones].find((each) => each.version === version);
  if (loaded !== undefined) return loaded;
  const content = await store.readTable(version);
  return content === null ? null : timeZonesOf(readZoneTable(content));
}

/**
 * Activates a table in all processes at once: a file of Skedchange (`src/travel/zones.json`), or `data/packed/latest.json`
 * of the npm package moment-timezone.
 * @throws AppError `zones.invalid`, `zones.incomplete`, `zones.older`
 */
export async function loadTimeZones(
  document: unknown,
  { database, today }: { readonly database: Pick<Database, "connection" | "pool">; readonly today: string },
): Promise<TimeZones> {
  const table = isPackedZones(document) ? unpackZones(document, today, "moment-timezone") : readZoneTable(document);
  const timeZones = timeZonesOf(table);
  const missing = zonesOfAirports().filter((zone) => !timeZones.has(zone));
  if (missing.length > 0) {
    const named = missing.slice(0, 5).join(", ");
    throw new AppError("zones.incomplete", `The table lacks ${missing.length} time zones of airports: ${named}.`);
  }
  if (table.release < shippedTimeZones.release) {
    const message = `The table is of release ${table.release}, older than ${shippedTimeZones.release}, which this version brings.`;
    throw new AppError("zones.older", message);
  }
  const { version } = timeZones;
  const store = createTimeZoneStore(database, systemClock);
  await store.activate({ version, content: table, by: "operator", replaces: (active) => active !== version });
  return timeZones;
}

function zonesOfAirports(): readonly string[] {
  return [...new Set(airportCodes().map((code) => airportOf(code)!.zone))];
}

/** `tz 2026f of 2026-10-29, 30 days old` */
export function describeTimeZones({ release, published }: TimeZones, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(published)) / 86_400_000);
  return `tz ${release} of ${published}, ${counted(days, "day")} old`;
}

function releaseOf(version: string): string {
  return version.slice(0, version.indexOf("-"));
}
