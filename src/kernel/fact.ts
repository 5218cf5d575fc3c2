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
