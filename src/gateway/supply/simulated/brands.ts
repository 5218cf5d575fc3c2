import type { Brand, Cabin, Fee } from "../offer.ts";

export interface SimulatedBrand {
  readonly code: "LIGHT" | "CLASSIC" | "FLEX";
  /** Compared with the cheapest brand of the cabin. */
  readonly factor: number;
  /** For an adult, in cents of a US dollar, so that a dearer brand is dearer also on the shortest flight. */
  readonly supplement: number;
  readonly refundable: boolean;
  /** In cents of a US dollar. */
  readonly changeFee: Fee;
  readonly cancelFee: Fee;
  /** In the fare basis. */
  readonly letter: string;
}

const notAvailable = { before: null, after: null } as const;

const light: SimulatedBrand = {
  code: "LIGHT",
  factor: 1,
  supplement: 0,
  refundable: false,
  changeFee: { before: 9_000, after: null },
  cancelFee: notAvailable,
  letter: "N",
};
const classic: SimulatedBrand = {
  code: "CLASSIC",
  factor: 1.12,
  supplement: 2_500,
  refundable: false,
  changeFee: { before: 5_000, after: 11_000 },
  cancelFee: { before: 14_000, after: null },
  letter: "R",
};
const flex: SimulatedBrand = {
  code: "FLEX",
  factor: 1.4,
  supplement: 7_000,
  refundable: true,
  changeFee: { before: 0, after: 0 },
  cancelFee: { before: 0, after: 7_500 },
  letter: "X",
};

/** Cheapest first. */
const ladder: Readonly<Record<Cabin, readonly [SimulatedBrand, ...SimulatedBrand[]]>> = {
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

/** Cheapest first. */
export function brandsOf(cabin: Cabin): readonly [SimulatedBrand, ...SimulatedBrand[]] {
  return ladder[cabin];
}

export function brandContent(airline: string, cabin: Cabin, brand: SimulatedBrand): Brand {
  const bags = cabin === "Y" ? bagsOf.Y[brand.code] : bagsOf[cabin];
  return {
    key: `${airline}-${cabin}-${brand.code}`,
    code: brand.code,
    name: `${cabinNames[cabin]} ${names[brand.code]}`,
    features: [
      { code: "CABINBAG", text: "One bag of up to 8 kg in the cabin" },
      { code: "CHECKEDBAG", text: bags === 0 ? "No checked bag" : `${countOf(bags)} of up to ${weightOf(cabin)} kg` },
      { code: "CHANGE", text: brand.changeFee.before === 0 ? "Changes without a fee" : "Changes for a fee" },
      { code: "REFUND", text: brand.refundable ? "Refundable" : "Not refundable" },
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
