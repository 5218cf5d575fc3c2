import type { Cabin } from "../offer.ts";

/** On one deck. */
export interface CabinLayout {
  readonly deck: "Main" | "Upper";
  readonly cabin: Cabin;
  /** From left to right, a blank for each aisle: `ABC DEF`. */
  readonly columns: string;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Numbers that the aircraft leaves out. */
  readonly missingRows: readonly number[];
  /** At an emergency exit. */
  readonly exitRows: readonly number[];
  /** Includes the exit rows. */
  readonly legRoomRows: readonly number[];
  /** Columns without a seat, by row. */
  readonly missingSeats: Readonly<Record<number, string>>;
  /** First and last row over the wing of the aircraft. */
  readonly wing: readonly [number, number];
}

type Family = "regional" | "narrow" | "long-narrow" | "wide" | "large" | "double-deck";

/** IATA codes of aircraft with the same cabins. */
const families: Readonly<Record<Family, readonly string[]>> = {
  regional: ["AT7", "DH4", "CR9", "E70", "E75", "E90", "E95", "290", "295", "221", "223"],
  narrow: ["318", "319", "320", "32A", "32B", "32N", "733", "737", "738", "7M8", "73H"],
  "long-narrow": ["321", "32Q", "32S", "739", "7M9", "752", "753"],
  wide: ["332", "333", "338", "339", "763", "764", "788", "789"],
  large: ["351", "359", "346", "772", "773", "77W", "77L", "78X", "744", "74H"],
  "double-deck": ["388"],
};

const familyByCode = new Map(
  Object.entries(families).flatMap(([family, codes]) => codes.map((code) => [code, family as Family] as const)),
);

/** No airline has a row 13. */
const missingRows = [13];

const layouts: Readonly<Record<Family, readonly CabinLayout[]>> = {
  regional: [
    cabin("C", "A DF", 1, 3, { wing: [9, 15] }),
    cabin("Y", "AC DF", 4, 22, { exitRows: [10], missingSeats: { 22: "D" }, wing: [9, 15] }),
  ],
  narrow: [
    cabin("C", "AC DF", 1, 4, { wing: [10, 19] }),
    cabin("Y", "ABC DEF", 5, 30, { exitRows: [11, 12], missingSeats: { 30: "EF" }, wing: [10, 19] }),
  ],
  "long-narrow": [
    cabin("C", "AC DF", 1, 5, { wing: [13, 24] }),
    cabin("Y", "ABC DEF", 6, 37, {
      exitRows: [11, 25],
      legRoomRows: [6],
      missingSeats: { 11: "A", 25: "AF" },
      wing: [14, 24],
    }),
  ],
  wide: [
    cabin("C", "A DG K", 1, 8, { wing: [18, 32] }),
    cabin("W", "AC DEG HK", 10, 14, { legRoomRows: [10], wing: [18, 32] }),
    cabin("Y", "AC DEFG HK", 16, 42, {
      exitRows: [28],
      legRoomRows: [16],
      missingSeats: { 28: "AK", 42: "AK" },
      wing: [18, 32],
    }),
  ],
  large: [
    cabin("F", "A DG K", 1, 2, { wing: [24, 38] }),
    cabin("C", "AC DG HK", 4, 14, { wing: [24, 38] }),
    cabin("W", "AC DEFG HK", 18, 23, { legRoomRows: [18], wing: [24, 38] }),
    cabin("Y", "ABC DEFG HJK", 25, 52, {
      exitRows: [25, 41],
      missingSeats: { 41: "AK", 52: "DEFG" },
      wing: [24, 38],
    }),
  ],
  "double-deck": [
    cabin("F", "A DG K", 1, 4, { wing: [54, 72] }),
    cabin("C", "A DG K", 6, 26, { deck: "Upper", wing: [16, 24] }),
    cabin("W", "AC DG HK", 31, 38, { deck: "Upper", legRoomRows: [31], wing: [16, 24] }),
    cabin("Y", "ABC DEFG HJK", 50, 88, {
      exitRows: [60, 74],
      missingSeats: { 60: "AK", 74: "AK" },
      wing: [54, 72],
    }),
    cabin("Y", "AC DEFG HK", 80, 89, { deck: "Upper", exitRows: [80], wing: [16, 24] }),
  ],
};

/** One per deck. Unknown aircraft are narrow-bodies; a cabin that an aircraft lacks is sold as its economy cabin. */
export function cabinLayouts(aircraftCode: string, cabinCode: Cabin): readonly CabinLayout[] {
  const all = layouts[familyByCode.get(aircraftCode) ?? "narrow"];
  const asked = all.filter((layout) => layout.cabin === cabinCode);
  return asked.length > 0 ? asked : all.filter((layout) => layout.cabin === "Y");
}

/** Without the aisles. */
export function columnNames(layout: CabinLayout): readonly string[] {
  return [...layout.columns].filter((name) => name !== " ");
}

function cabin(
  code: Cabin,
  columns: string,
  firstRow: number,
  lastRow: number,
  more: Partial<Pick<CabinLayout, "deck" | "exitRows" | "legRoomRows" | "missingSeats">> & Pick<CabinLayout, "wing">,
): CabinLayout {
  const exitRows = more.exitRows ?? [];
  return {
    deck: more.deck ?? "Main",
    cabin: code,
    columns,
    firstRow,
    lastRow,
    missingRows: missingRows.filter((row) => row > firstRow && row < lastRow),
    exitRows,
    legRoomRows: [...new Set([...exitRows, ...(more.legRoomRows ?? [])])],
    missingSeats: more.missingSeats ?? {},
    wing: more.wing,
  };
}
