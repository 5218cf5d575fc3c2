export const aircraftClasses = ["widebody", "narrowbody", "regional jet", "propeller", "surface"] as const;
export type AircraftClass = (typeof aircraftClasses)[number];

export interface Aircraft {
  /** Types that airlines exchange without travellers noticing much, such as `A320`. */
  readonly family: string;
  readonly class: AircraftClass;
}

/**
 * Families of IATA aircraft type codes (Standard Schedules Information Manual, appendix A), written by hand and limited
 * to scheduled airlines; as of November 2026. Codes with letters are variants: 32N is an A320neo, 7M8 a 737 MAX 8, 77W
 * a 777-300ER, 32B an A321 with sharklets.
 */
const families: readonly (readonly [family: string, kind: AircraftClass, codes: string])[] = [
  ["A300", "widebody", "AB3 AB4 AB6 ABF ABX ABY 310 312 313"],
  ["A320", "narrowbody", "318 319 320 321 31A 31B 31N 32A 32B 32C 32D 32N 32Q 32S 32X"],
  ["A220", "narrowbody", "221 223 CS1 CS3"],
  ["A330", "widebody", "330 332 333 338 339 33X 33Y"],
  ["A340", "widebody", "340 342 343 345 346"],
  ["A350", "widebody", "350 351 359 35K"],
  ["A380", "widebody", "380 388"],
  ["717", "narrowbody", "717"],
  ["737", "narrowbody", "731 732 733 734 735 736 737 738 739 73C 73E 73G 73H 73J 73M 73P 73R 73W 7M7 7M8 7M9 7MJ 7S8"],
  ["747", "widebody", "741 742 743 744 747 748 74D 74E 74H 74L 74M 74R"],
  ["757", "narrowbody", "752 753 757 75T 75W"],
  ["767", "widebody", "762 763 764 767 76W"],
  ["777", "widebody", "772 773 777 779 77L 77W 778"],
  ["787", "widebody", "781 787 788 789 78J"],
  ["MD-80", "narrowbody", "M80 M81 M82 M83 M87 M88 M90"],
  ["C919", "narrowbody", "919 C19"],
  ["E-Jet", "regional jet", "E70 E75 E7W E90 E95 290 295 EMJ 275 E2S"],
  ["ERJ", "regional jet", "ER3 ER4 ERD ERJ"],
  ["CRJ", "regional jet", "CR1 CR2 CR7 CR9 CRA CRK CRJ"],
  ["ARJ21", "regional jet", "AJ2 C27"],
  ["SSJ100", "regional jet", "SU9 SU1"],
  ["Fokker jet", "regional jet", "F70 100"],
  ["Avro RJ", "regional jet", "AR1 AR7 AR8 ARJ 141 142 143 146"],
  ["Dash 8", "propeller", "DH1 DH2 DH3 DH4 DH8"],
  ["ATR", "propeller", "AT4 AT5 AT7 ATR AT43 AT45 AT46 AT72 AT73 AT75 AT76"],
  ["Saab 340", "propeller", "SF3 S20"],
  ["Beechcraft 1900", "propeller", "BE1 BEH BES"],
  ["Twin Otter", "propeller", "DHT DHP"],
  ["Jetstream", "propeller", "J31 J32 J41 JST"],
  ["Caravan", "propeller", "CN1 CN2 CNA CNC"],
  ["Islander", "propeller", "BNI BNT"],
  ["train", "surface", "TRN TRS"],
  ["bus", "surface", "BUS LMO"],
  ["boat", "surface", "LCH"],
];

const aircraftByCode: ReadonlyMap<string, Aircraft> = new Map(
  families.flatMap(([family, kind, codes]) =>
    codes.split(" ").map((code): [string, Aircraft] => [code, { family, class: kind }]),
  ),
);

export function aircraftOf(code: string): Aircraft | null {
  return aircraftByCode.get(code.toUpperCase()) ?? null;
}
