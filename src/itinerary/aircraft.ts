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
  ["Brasilia", "propeller", "EM2"],
  ["Dornier 328", "propeller", "D38"],
  ["Fokker 50", "propeller", "F50"],
  ["Caravan", "propeller", "CN1 CN2 CNA CNC"],
  ["Islander", "propeller", "BNI BNT"],
  ["train", "surface", "TRN TRS ICE TGV THS THT RET"],
  ["bus", "surface", "BUS LMO"],
  ["truck", "surface", "RFS"],
  ["boat", "surface", "LCH HOV"],
];

/** Words in the name of what is no aircraft, for gateways that state no code. */
const surfaceWords: readonly (readonly [family: string, words: RegExp])[] = [
  [
    "train",
    /\b(?:TRAIN|RAIL|RAILWAY|ICE|TGV|INTERCITY|ZUG|BAHN|\w+BAHN|TREN|TRENO|COMBOIO|TREM|TREIN|TOG|RAILJET|EUROSTAR|THALYS|AVE|FRECCIAROSSA|FRECCIARGENTO|ITALO|OUIGO|RENFE|TRENITALIA|SNCF|AMTRAK|SHINKANSEN)\b/,
  ],
  [
    "bus",
    /\b(?:BUS|(?!AIRBUS)\w{3,}BUS|COACH|MOTORCOACH|LIMOUSINE|TAXI|AUTOCAR|AUTOCARRO|PULLMAN|CORRIERA|CAR TRANSFER|SHUTTLE)\b/,
  ],
  ["truck", /\b(?:TRUCK|ROAD|LKW)\b/],
  ["boat", /\b(?:BOAT|FERRY|SHIP|HOVERCRAFT|FAHRE|FAEHRE|TRAGHETTO|BARCO|BATEAU)\b/],
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
    ...["BN2P BNI", "E120 EM2", "D328 D38"],
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

/** @param stated an IATA code, an ICAO designator, or a name. */
export function aircraftOf(stated: string): Aircraft | null {
  const name = stated.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase();
  const [iataCode = name] = codesOf(name);
  return aircraftByCode.get(iataCode) ?? surfaceVehicleOf(name);
}

function surfaceVehicleOf(name: string): Aircraft | null {
  const found = surfaceWords.find(([, words]) => words.test(name));
  return found === undefined ? null : { family: found[0], class: "surface" };
}

/** Whether two texts are of one type: the same code, or a designator or a name and an IATA code that it can have. */
export function isSameAircraft(a: string, b: string): boolean {
  const [first, second] = [a.toUpperCase(), b.toUpperCase()];
  if (first === second) return true;
  const [ofFirst, ofSecond] = [codesOf(first), codesOf(second)];
  return ofFirst.join() === ofSecond.join() || ofFirst.includes(second) || ofSecond.includes(first);
}

/** The IATA codes that an ICAO designator or a name can have; else what is stated. */
function codesOf(stated: string): readonly string[] {
  if (aircraftByCode.has(stated)) return [stated];
  return iataCodes.get(stated) ?? codesNamed(stated) ?? [stated];
}

/** Of a name such as `Airbus A320-200` or `Boeing 737 MAX 8`; null for one that is not read. */
function codesNamed(stated: string): readonly string[] | null {
  const name = stated
    .replaceAll(/\([^()]*\)/g, "")
    .replace(makers, "")
    .replaceAll(/[^A-Z0-9]/g, "");
  for (const [pattern, code] of names) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const found = code.replace("$1", match[1] ?? "");
    return iataCodes.get(found) ?? (aircraftByCode.has(found) ? [found] : null);
  }
  return null;
}

const makers =
  /^(?:AIRBUS(?: INDUSTRIE)?|BOEING|EMBRAER|BOMBARDIER|CANADAIR|DE HAVILLAND(?: CANADA)?|MCDONNELL DOUGLAS|FOKKER|COMAC|AEROSPATIALE)\b/;

/** Names in letters and digits only, with the designator or the general IATA code of the type. */
const names: readonly (readonly [name: RegExp, code: string])[] = [
  [/^A?318(?:1\d\d|CEO)?$/, "A318"],
  [/^A?3(19|20|21)(?:[12]\d\d|CEO|SHARKLETS)?$/, "A3$1"],
  [/^A?3(19|20|21)(?:2[57]\dN?X?|\d{0,3}NEO|NEOL?R?|N)$/, "A$1N"],
  [/^(?:A?220|CS|CSERIES)([13])00$/, "BCS$1"],
  [/^A?330([23])00$/, "A33$1"],
  [/^A?330([89])00(?:NEO)?$/, "A33$1"],
  [/^A?340([2356])00$/, "A34$1"],
  [/^A?350900(?:ULR)?$/, "A359"],
  [/^A?3501000$/, "A35K"],
  [/^A?380800$/, "A388"],
  [/^A(330|340|350|380)$/, "$1"],
  [/^B?737MAX([789])(?:200)?$/, "B3$1M"],
  [/^B?737([789])MAX$/, "B3$1M"],
  [/^B?737(?:MAX10|10MAX)$/, "B3XM"],
  [/^B?737([2-8])00(?:NG|W|WINGLETS)?$/, "B73$1"],
  [/^B?737900(?:ER)?$/, "B739"],
  [/^B?747400$/, "B744"],
  [/^B?7478I?$/, "B748"],
  [/^B?757([23])00$/, "B75$1"],
  [/^B?767([234])00(?:ER)?$/, "B76$1"],
  [/^B?777200(?:ER)?$/, "B772"],
  [/^B?777200LR$/, "B77L"],
  [/^B?777300$/, "B773"],
  [/^B?777300ER$/, "B77W"],
  [/^B?787([89])$/, "B78$1"],
  [/^B?78710$/, "B78X"],
  [/^B?(717|737|747|757|767|777|787)$/, "$1"],
  [/^(?:E|EMB|ERJ)?1([79])0(?:E1)?$/, "E1$10"],
  [/^(?:E|EMB|ERJ)?195(?:E1)?$/, "E195"],
  [/^(?:E|EMB|ERJ)?175$/, "E75L"],
  [/^(?:E|EMB|ERJ)?19([05])E2$/, "E29$1"],
  [/^(?:E|EMB|ERJ)1([34])5$/, "E1$15"],
  [/^CRJ([1279])00$/, "CRJ$1"],
  [/^CRJ1000$/, "CRJX"],
  [/^ATR42500$/, "AT45"],
  [/^ATR42600$/, "AT46"],
  [/^ATR72500$/, "AT75"],
  [/^ATR72600$/, "AT76"],
  [/^(?:DASH8|DHC8)Q?400$|^Q400$/, "DH8D"],
  [/^(?:DASH8|DHC8)Q?300$|^Q300$/, "DH8C"],
  [/^(?:DASH8|DHC8)Q?200$/, "DH8B"],
  [/^(?:DASH8|DHC8)Q?100$/, "DH8A"],
];

export function isOnSurface(stated: string | null): boolean {
  return stated !== null && aircraftOf(stated)?.class === "surface";
}
