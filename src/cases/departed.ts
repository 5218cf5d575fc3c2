import type { Fact } from "../kernel/fact.ts";

/** Whether every flight of the trip has left, so that nothing is urgent. Facts stored by earlier versions do not say. */
export function isDeparted({ tripDeparted }: { readonly tripDeparted?: Fact<boolean> }): boolean {
  return tripDeparted?.known === true && tripDeparted.value;
}
