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
  ["ATR", "propeller", "AT4 AT5 AT7 ATR"],
  ["Saab 340", "propeller", "SF3 S20"],
  ["Beechcraft 1900", "propeller", "BE1 BEH BES"],
  ["Twin Otter", "propeller", "DHT DHP"],
  ["Jetstream", "propeller", "J31 J32 J41 JST"],
  ["Caravan", "propeller", "CN1 CN2 CNA CNC"],
  ["Islander", "propeller", "BNI BNT"],
  ["train", "surface", "TRN TRS ICE TGV"],
  ["bus", "surface", "BUS LMO"],
  ["truck", "surface", "RFS"],
  ["boat", "surface", "LCH HOV"],
];

/** Words in the name of what is no aircraft, for gateways that state no code. */
const surfaceWords: readonly (readonly [family: string, words: RegExp])[] = [
  ["train", /\b(?:TRAIN|RAIL|RAILWAY|ICE|TGV|INTERCITY)\b/],
  ["bus", /\b(?:BUS|AUTOBUS|MINIBUS|COACH|MOTORCOACH|LIMOUSINE|TAXI)\b/],
  ["truck", /\b(?:TRUCK|ROAD)\b/],
  ["boat", /\b(?:BOAT|FERRY|SHIP|HOVERCRAFT)\b/],
];

/**
 * ICAO type designators (Doc 8643) with the IATA codes that airlines publish for the type (Standard Schedules
 * Information Manual, appendix A), written by hand; as of November 2026. A general IATA code, such as 737 or ATR, is
 * missing: it may be another type. B737 is the 737-700.
 */
const iataCodes: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...["A306 AB6", "A30B AB4", "A310 310 312 313", "A318 318", "A319 319 31A 31B", "A320 320 32A", "A321 321 32B"],
    ...["A19N 31N", "A20N 32N", "A21N 32Q", "BCS1 221 CS1", "BCS3 223 CS3", "A332 332", "A333 333", "A338 338"],
    ...["A339 339", "A342 342", "A343 343", "A345 345", "A346 346", "A359 359", "A35K 351 35K", "A388 388"],
    ...["B712 717", "B732 732", "B733 733 73C", "B734 734", "B735 735 73E", "B736 736", "B737 73G 73W"],
    ...["B738 738 73H 7S8", "B739 739 73J", "B37M 7M7", "B38M 7M8", "B39M 7M9", "B3XM 7MJ", "B742 742", "B743 743"],
    ...["B744 744 74E", "B748 748 74H", "B74S 74L", "B752 752 75W", "B753 753 75T", "B762 762", "B763 763 76W"],
    ...["B764 764", "B772 772", "B77L 77L", "B773 773", "B77W 77W", "B778 778", "B779 779", "B788 788", "B789 789"],
    ...["B78X 781 78J", "MD81 M81", "MD82 M82", "MD83 M83", "MD87 M87", "MD88 M88", "MD90 M90", "C919 919 C19"],
    ...["E170 E70", "E75S E75", "E75L E75 E7W", "E190 E90", "E195 E95", "E275 275", "E290 290", "E295 295", "E135 ER3"],
    ...["E145 ER4", "E45X ER4", "CRJ1 CR1", "CRJ2 CR2", "CRJ7 CR7", "CRJ9 CR9", "CRJX CRK", "AJ27 AJ2 C27", "SU95 SU9"],
    ...["F100 100", "RJ1H AR1", "RJ70 AR7", "RJ85 AR8", "B461 141", "B462 142", "B463 143", "DH8A DH1", "DH8B DH2"],
    ...["DH8C DH3", "DH8D DH4", "AT43 AT4", "AT45 AT5", "AT46 AT4", "AT72 AT7", "AT73 AT7", "AT75 AT7", "AT76 AT7"],
    ...["SF34 SF3", "SB20 S20", "B190 BE1 BEH BES", "DHC6 DHT", "JS31 J31", "JS32 J32", "JS41 J41", "C208 CN1 CNC"],
    "BN2P BNI",
  ].map((row) => {
    const [designator = "", ...codes] = row.split(" ");
    return [designator, codes] as const;
  }),
);

const aircraftByCode: ReadonlyMap<string, Aircraft> = new Map(
  families.flatMap(([family, kind, codes]) =>
    codes.split(" ").map((code): [string, Aircraft] => [code, { family, class: kind }]),
  ),
);

/** @param stated an IATA code, an ICAO designator, or a name that says that it is no aircraft. */
export function aircraftOf(stated: string): Aircraft | null {
  const code = stated.toUpperCase();
  const [iataCode = code] = iataCodes.get(code) ?? [];
  return aircraftByCode.get(iataCode) ?? surfaceVehicleOf(code);
}

function surfaceVehicleOf(name: string): Aircraft | null {
  const found = surfaceWords.find(([, words]) => words.test(name));
  return found === undefined ? null : { family: found[0], class: "surface" };
}

/** Whether two codes are of one type: the same code, or an ICAO designator and an IATA code that it can have. */
export function isSameAircraft(a: string, b: string): boolean {
  const [first, second] = [a.toUpperCase(), b.toUpperCase()];
  return (
    first === second ||
    iataCodes.get(first)?.includes(second) === true ||
    iataCodes.get(second)?.includes(first) === true
  );
}

export function isOnSurface(stated: string | null): boolean {
  return stated !== null && aircraftOf(stated)?.class === "surface";
}
