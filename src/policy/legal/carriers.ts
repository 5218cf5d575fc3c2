import type { Territory } from "./territories.ts";

/** Where carriers are licensed, and their size. The agency may replace it; a missing carrier is unknown. */
export interface CarrierTable {
  /** IATA code → the territory whose authority licensed it, or `elsewhere`. */
  readonly licensedIn: Readonly<Record<string, Territory | "elsewhere">>;
  /** `large`: two million passengers worldwide in each of the two previous years (APPR). */
  readonly size: Readonly<Record<string, "large" | "small">>;
}

export const carriersReading = {
  asOf: "2026-11-20",
  caveat:
    "From general knowledge and without a public source: no open list of operating licences was found. To be verified against the list of licences of each authority; for the EU that is the list of operating licences granted by the member states.",
} as const;

/**
 * A start for an agency's own table; {@link carriersReading} describes its reliability. A group's carriers are listed
 * separately, since each has its own licence (U2 is British, EC Austrian, DS Swiss). A missing carrier leads to
 * `cannot-tell`.
 */
export const shippedCarriers: CarrierTable = {
  licensedIn: {
    ...licensed("EU", "A3 AF AY AZ BT BV CL D8 DE DS DY EC EI EN EW FI FR HV IB I2 KL KM LG LH LO LX"),
    ...licensed("EU", "NT OA OG OS OU QS RC RO SK SN TB TO TP UX V7 VL VY W6 WF WK X3 YW 4Y"),
    ...licensed("EU", "OR 6B DI 2L A5 WX NO XZ GQ SS BF TX H4 A2"),
    ...licensed("UK", "BA BY EG LM LS RK T3 U2 VS W9"),
    ...licensed("US", "AA AS B6 DL F9 G4 HA MX NK SY UA WN"),
    ...licensed("CA", "AC F8 PB PD QK RV TS WS"),
    ...licensed("BR", "AD G3 JJ"),
    ...licensed("IN", "6E AI IX QP SG"),
    ...licensed("TR", "PC TK VF XC XQ"),
    ...licensed("elsewhere", "AM AR AT AV BR CA CI CM CX CZ EK ET EY FJ FZ G9 GA GF HU HX JL JQ JU KC KE KQ KU"),
    ...licensed("elsewhere", "LA LY ME MH MK MS MU NH NZ OZ PK PR QF QR RJ SA SQ SV TG TN UL VA VN WY"),
  },
  size: Object.fromEntries(
    [
      // Jazz (QK) flies for Air Canada: the Canadian Transportation Agency counts it there (rppa-appr.ca, on large
      // airlines).
      ..."AC QK WS TS PD AA DL UA AS B6 BA AF KL LH LX OS SN IB TP AZ SK AY LO EI TK".split(" "),
      ..."EK QR EY ET MS SQ CX JL NH KE OZ BR CA MU CZ AI QF NZ AV CM AM LA VS".split(" "),
    ].map((code) => [code, "large"]),
  ),
};

function licensed(territory: Territory | "elsewhere", codes: string): CarrierTable["licensedIn"] {
  return Object.fromEntries(codes.split(" ").map((code) => [code, territory]));
}
