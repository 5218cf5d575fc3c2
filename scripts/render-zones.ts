import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packed from "moment-timezone/data/packed/latest.json" with { type: "json" };
import about from "moment-timezone/package.json" with { type: "json" };
import { unpackZones } from "../src/travel/packed-zones.ts";
import type { ZoneTable } from "../src/travel/zone-table.ts";

/**
 * The time zones of the npm package moment-timezone, which carries each release of the tz database within days. To take
 * over a newer one, raise its version in package.json.
 */
export function renderZones(): string {
  const { version } = about;
  const folder = dirname(fileURLToPath(import.meta.resolve("moment-timezone/package.json")));
  return renderTable(unpackZones(packed, publicationOf(version, folder), `moment-timezone ${version}`));
}

/** One line for each zone, so that a review shows whose clocks changed. */
function renderTable({ zones, links, ...about }: ZoneTable): string {
  const lines = (members: object): string =>
    Object.entries(members)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(",\n");
  return `{${JSON.stringify(about).slice(1, -1)},\n"zones":{\n${lines(zones)}},\n"links":{\n${lines(links)}}}\n`;
}

/** As its changelog dates it. */
function publicationOf(version: string, folder: string): string {
  const changelog = readFileSync(join(folder, "changelog.md"), "utf8");
  const [, date] =
    new RegExp(`^### \`${version.replaceAll(".", "\\.")}\` _(\\d{4}-\\d{2}-\\d{2})_`, "m").exec(changelog) ?? [];
  if (date === undefined) throw new Error(`The changelog of moment-timezone does not date version ${version}.`);
  return date;
}
