import { systemClock } from "../kernel/clock.ts";
import { type CommandContext, withConfiguredDatabase } from "./storage-beside.ts";
import { describeTimeZones, loadTimeZones } from "./time-zones.ts";

/** Returns what is active from now on, in words. Works with or without running servers. */
export async function loadConfiguredTimeZones(context: CommandContext, document: unknown): Promise<string> {
  const connection = { applicationName: "skedchange zones", maxConnections: 2 };
  return await withConfiguredDatabase(context, connection, async ({ database }) => {
    const now = systemClock.now();
    const loaded = await loadTimeZones(document, { database, today: now.toISOString().slice(0, 10) });
    return `${describeTimeZones(loaded, now)}, version ${loaded.version}`;
  });
}
