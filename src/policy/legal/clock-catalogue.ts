import type { ClockDefinition, ClockTerm } from "./preset.ts";
import { legalPresets } from "./presets.ts";

/** The name of a clock, such as `eu-refund`. A stored decision may name one that no preset defines any more. */
export type ClockName = string;

export const clockCatalogue: Readonly<Record<ClockName, ClockDefinition>> = Object.assign(
  {},
  ...legalPresets.map(({ clocks }) => clocks),
);

/** Whether it is a time before departure by which the traveller must be informed. */
export function isMarkBeforeDeparture(name: ClockName): boolean {
  const clock = clockCatalogue[name];
  return clock?.start === "booked-departure" && endsBeforeStart(clock.term);
}

/** Whether it runs from when a refund fell due. */
export function isRefundClock(name: ClockName): boolean {
  return clockCatalogue[name]?.start === "refund-due";
}

export function endsBeforeStart(term: ClockTerm): boolean {
  return ("days" in term && term.days < 0) || ("hours" in term && term.hours < 0);
}
