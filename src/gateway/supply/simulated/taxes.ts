import type { PassengerType } from "../../../contract/passenger-rules.ts";
import { findAirport } from "../../served-airports.ts";
import type { Cabin, Flight, Tax } from "../offer.ts";
import { fromCents } from "./currencies.ts";
import { drawInteger } from "./draw.ts";

/** In cents of a US dollar, by country of departure. Codes are real, amounts are rounded. */
const departureTaxes: Readonly<Record<string, readonly (readonly [code: string, cents: number])[]>> = {
  AE: [
    ["AE", 2_040],
    ["TP", 1_360],
  ],
  AT: [
    ["AT", 1_290],
    ["ZY", 1_870],
    ["QD", 910],
  ],
  BE: [["BE", 3_160]],
  BR: [["BR", 3_100]],
  CA: [
    ["CA", 940],
    ["SQ", 2_500],
  ],
  CH: [["CH", 3_390]],
  CN: [["CN", 1_260]],
  DE: [
    ["OY", 1_690],
    ["DE", 1_070],
    ["RA", 2_830],
  ],
  ES: [
    ["JD", 1_640],
    ["OG", 70],
    ["QV", 370],
  ],
  FR: [
    ["FR", 1_240],
    ["O4", 500],
    ["QX", 2_360],
  ],
  GB: [
    ["GB", 1_640],
    ["UB", 2_910],
  ],
  HK: [
    ["HK", 1_530],
    ["G3", 2_050],
  ],
  IE: [["IE", 1_150]],
  IN: [
    ["IN", 900],
    ["P2", 280],
    ["K3", 1_120],
  ],
  IT: [
    ["IT", 1_750],
    ["HB", 690],
    ["VT", 240],
  ],
  JP: [
    ["OI", 680],
    ["SW", 2_010],
  ],
  NL: [
    ["CJ", 1_490],
    ["RN", 1_640],
    ["VV", 3_140],
  ],
  PT: [
    ["PT", 1_220],
    ["YP", 2_846],
  ],
  SG: [
    ["SG", 3_590],
    ["OO", 610],
  ],
  TR: [["TR", 2_150]],
  US: [
    ["US", 2_290],
    ["AY", 560],
    ["XF", 450],
  ],
};

/** On arrival from another country. */
const arrivalTaxes: Readonly<Record<string, readonly (readonly [code: string, cents: number])[]>> = {
  US: [
    ["US", 2_290],
    ["XA", 384],
    ["XY", 700],
    ["YC", 639],
  ],
  JP: [["TK", 640]],
  AU: [["WY", 4_010]],
};

/** With carrier surcharges (YQ), one entry per code. Infants without a seat pay none, and children no British duty. */
export function taxesOf(
  seed: string,
  flights: readonly Flight[],
  ptc: PassengerType,
  cabin: Cabin,
  currency: string,
): readonly Tax[] {
  if (ptc === "INF") return [];
  const cents = new Map<string, number>();
  const add = (code: string, amount: number) => cents.set(code, (cents.get(code) ?? 0) + amount);
  for (const flight of flights) {
    const from = findAirport(flight.from)?.country ?? "";
    const to = findAirport(flight.to)?.country ?? "";
    for (const [code, amount] of departureTaxes[from] ?? [[otherTaxCode, otherTax(seed, from)] as const]) {
      if (code === "GB" && ptc === "CHD") continue;
      add(code, code === "GB" && flight.miles > 2000 ? amount * (cabin === "Y" ? 6 : 13) : amount);
    }
    if (from !== to) for (const [code, amount] of arrivalTaxes[to] ?? []) add(code, amount);
    add("YQ", surchargeOf(flight.miles));
  }
  return [...cents].map(([code, amount]) => ({ code, amount: fromCents(amount, currency) }));
}

/** The code for combined taxes, for countries that are not in the table. */
const otherTaxCode = "XT";

function otherTax(seed: string, country: string): number {
  return drawInteger(400, 3_900, seed, "tax", country);
}

function surchargeOf(miles: number): number {
  return miles < 1200 ? 1_200 : miles < 3000 ? 4_800 : 12_500;
}
