/** A three-valued truth; an unknown one names the missing fact. */
export type Truth = { readonly value: boolean } | { readonly value: "unknown"; readonly fact: string };

export const yes: Truth = { value: true };
export const no: Truth = { value: false };

export function missing(fact: string): Truth {
  return { value: "unknown", fact };
}

/** Returns true if one is true, else unknown if one is unknown, else false. */
export function anyTrue(truths: readonly Truth[]): Truth {
  return firstOf(truths, true) ?? firstOf(truths, "unknown") ?? no;
}

/** Returns false if one is false, else unknown if one is unknown, else true. */
export function allTrue(truths: readonly Truth[]): Truth {
  return firstOf(truths, false) ?? firstOf(truths, "unknown") ?? yes;
}

function firstOf(truths: readonly Truth[], value: Truth["value"]): Truth | undefined {
  return truths.find((truth) => truth.value === value);
}
