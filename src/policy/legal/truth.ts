/** A three-valued truth; an unknown one names the missing fact. */
export type Truth = { readonly value: boolean } | { readonly value: "unknown"; readonly fact: string };

export const yes: Truth = { value: true };
export const no: Truth = { value: false };

export function missing(fact: string): Truth {
  return { value: "unknown", fact };
}

/** Returns true if one is true, else unknown if one is unknown, else false. */
export function anyTrue<T extends { readonly truth: Truth }>(parts: readonly T[]): Truth {
  return firstOf(parts, true) ?? firstOf(parts, "unknown") ?? no;
}

/** Returns false if one is false, else unknown if one is unknown, else true. */
export function allTrue<T extends { readonly truth: Truth }>(parts: readonly T[]): Truth {
  return firstOf(parts, false) ?? firstOf(parts, "unknown") ?? yes;
}

function firstOf<T extends { readonly truth: Truth }>(parts: readonly T[], value: Truth["value"]): Truth | undefined {
  return parts.find(({ truth }) => truth.value === value)?.truth;
}
