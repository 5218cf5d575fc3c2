import type { Brand, Cabin, Fee } from "../offer.ts";

/** A level of price and conditions. What an airline sells of it in one cabin is a `Brand`, such as LH-Y-LIGHT. */
export interface FareFamily {
  readonly code: "LIGHT" | "CLASSIC" | "FLEX";
  /** Multiplies the fare of the booking class. */
  readonly factor: number;
  /** Added to the fare of an adult, in US cents, so that a dearer family is dearer on the shortest flight too. */
  readonly supplement: number;
  readonly refundable: boolean;
  /** Both fees in US cents. */
  readonly changeFee: Fee;
  readonly cancelFee: Fee;
  /** Its letter in the fare basis. */
  readonly letter: string;
}

const notAvailable = { before: null, after: null } as const;

const light: FareFamily = {
  code: "LIGHT",
  factor: 1,
  supplement: 0,
  refundable: false,
  changeFee: { before: 9_000, after: null },
  cancelFee: notAvailable,
  letter: "N",
};
const classic: FareFamily = {
  code: "CLASSIC",
  factor: 1.12,
  supplement: 2_500,
  refundable: false,
  changeFee: { before: 5_000, after: 11_000 },
  cancelFee: { before: 14_000, after: null },
  letter: "R",
};
const flex: FareFamily = {
  code: "FLEX",
  factor: 1.4,
  supplement: 7_000,
  refundable: true,
  changeFee: { before: 0, after: 0 },
  cancelFee: { before: 0, after: 7_500 },
  letter: "X",
};

const familiesByCabin: Readonly<Record<Cabin, readonly [FareFamily, ...FareFamily[]]>> = {
  Y: [light, classic, flex],
  W: [classic, flex],
  C: [classic, flex],
  F: [flex],
};

const cabinNames: Readonly<Record<Cabin, string>> = {
  Y: "Economy",
  W: "Premium Economy",
  C: "Business",
  F: "First",
};
const names = { LIGHT: "Light", CLASSIC: "Classic", FLEX: "Flex" } as const;
const bagsOf = { Y: { LIGHT: 0, CLASSIC: 1, FLEX: 1 }, W: 2, C: 2, F: 3 } as const;

/** The fare families of a cabin, the cheapest first. */
export function fareFamiliesOf(cabin: Cabin): readonly [FareFamily, ...FareFamily[]] {
  return familiesByCabin[cabin];
}

export function brandOf(airline: string, cabin: Cabin, family: FareFamily): Brand {
  const bags = cabin === "Y" ? bagsOf.Y[family.code] : bagsOf[cabin];
  return {
    key: `${airline}-${cabin}-${family.code}`,
    code: family.code,
    name: `${cabinNames[cabin]} ${names[family.code]}`,
    features: [
      { code: "CABINBAG", text: "One bag of up to 8 kg in the cabin" },
      { code: "CHECKEDBAG", text: bags === 0 ? "No checked bag" : `${countOf(bags)} of up to ${weightOf(cabin)} kg` },
      { code: "CHANGE", text: family.changeFee.before === 0 ? "Changes without a fee" : "Changes for a fee" },
      { code: "REFUND", text: family.refundable ? "Refundable" : "Not refundable" },
    ],
    bags,
    bagsOfInfants: bags === 0 ? 0 : 1,
  };
}

function weightOf(cabin: Cabin): number {
  return cabin === "Y" || cabin === "W" ? 23 : 32;
}

function countOf(bags: number): string {
  return bags === 1 ? "One checked bag" : `${bags} checked bags`;
}

/** The cabin that the key of a brand names. */
export function cabinOfBrand({ key }: Brand): Cabin {
  const [, cabin] = key.split("-");
  return cabin === "W" || cabin === "C" || cabin === "F" ? cabin : "Y";
}
