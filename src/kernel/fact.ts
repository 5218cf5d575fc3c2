/**
 * Unknown facts have a reason, are never filled in silently, and stop every automatic action that depends on them
 * (design, invariant 7).
 */
export type Fact<T> = { readonly known: true; readonly value: T } | { readonly known: false; readonly reason: string };

export function known<T>(value: T): Fact<T> {
  return { known: true, value };
}

/** @param reason a stable, short code such as `missing-flag`, `partial-details`, `unknown-airport` */
export function unknown<T = never>(reason: string): Fact<T> {
  return { known: false, reason };
}

/** Whether a fact is known to be true. Also takes a fact that an older decision does not have. */
export function isTrue(fact: Fact<unknown> | null | undefined): boolean {
  return fact?.known === true && fact.value === true;
}

/** Whether a fact is known to be false: not merely unknown. */
export function isFalse(fact: Fact<unknown> | null | undefined): boolean {
  return fact?.known === true && fact.value === false;
}
