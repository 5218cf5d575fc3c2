import type { ClockDefinition, ClockTerm } from "./preset.ts";
import { legalPresets } from "./presets.ts";

/** The name of a clock: `eu-refund`. A decision may be stored with one that no preset defines any more. */
export type ClockName = string;

/** Every clock that a preset defines, by name. */
export const clockCatalogue: Readonly<Record<ClockName, ClockDefinition>> = Object.assign(
  {},
  ...legalPresets.map(({ clocks }) => clocks),
);

/** Whether it is a moment before departure by which the traveller is to be told. */
export function isMarkBeforeDeparture(name: ClockName): boolean {
  const clock = clockCatalogue[name];
  return clock?.start === "booked-departure" && endsBeforeStart(clock.term);
}

/** Whether it runs from when a refund fell due. */
export function isRefundClock(name: ClockName): boolean {
  return clockCatalogue[name]?.start === "refund-due";
}

/** Whether a clock is over before what it counts from happens. */
export function endsBeforeStart(term: ClockTerm): boolean {
  return ("days" in term && term.days < 0) || ("hours" in term && term.hours < 0);
}
