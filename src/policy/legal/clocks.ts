import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import type { LegalClock } from "./assessment.ts";
import { type ClockName, clockCatalogue, endsBeforeStart } from "./clock-catalogue.ts";
import type { LegalContext } from "./legal-input.ts";
import { markFrom, shiftedDate } from "./marks.ts";
import type { ClockDefinition, ClockTerm } from "./preset.ts";
import { usFederalHolidays } from "./us-federal-holidays.ts";
import { localDateOf, startOfDay } from "./zone-days.ts";

/** Returns the clocks of a right, in order, without those for another payer or merchant, or a notice already given. */
export function clocksFor(
  names: readonly ClockName[],
  journey: JourneyChange,
  context: LegalContext,
): readonly LegalClock[] {
  return names.flatMap((name) => {
    const definition = clockCatalogue[name];
    if (definition === undefined || !isRunning(definition, context)) return [];
    const due =
      definition.start === "refund-due"
        ? dueAfterRefund(definition.term, context)
        : dueAround(definition.term, journey);
    return [{ name, dueAt: due === null ? null : new Date(due).toISOString(), rule: definition.rule }];
  });
}

function isRunning({ start, term, payment, merchant }: ClockDefinition, context: LegalContext): boolean {
  if (payment !== undefined && context.payment !== null && context.payment !== payment) return false;
  if (merchant !== undefined && context.merchantOfRecord !== null && context.merchantOfRecord !== merchant)
    return false;
  return start === "refund-due" || context.travellerInformedAt === null || !endsBeforeStart(term);
}

function dueAround(term: ClockTerm, { departure }: JourneyChange): number | null {
  if ("businessDays" in term) return null;
  const mark = markFrom(departure, term);
  return mark.known ? mark.value : null;
}

function dueAfterRefund(term: ClockTerm, { refundDueFrom, timeZone }: LegalContext): number | null {
  return refundDueFrom === null ? null : endOfTerm(term, refundDueFrom, timeZone);
}

/**
 * Returns the end of a term in milliseconds: the end of its last day in that IANA zone. The day on which it began does
 * not count. Null if `began` is invalid.
 */
export function endOfTerm(term: ClockTerm, began: Date, timeZone: string): number | null {
  if (Number.isNaN(began.getTime())) return null;
  if ("hours" in term) return began.getTime() + term.hours * 3_600_000;
  const from = localDateOf(began, timeZone);
  const last = "days" in term ? shiftedDate(from, term.days) : addBusinessDays(from, term);
  const next = shiftedDate(last, 1);
  return next === null ? null : startOfDay(next, timeZone);
}

function addBusinessDays(
  from: string,
  { businessDays, holidays }: Extract<ClockTerm, { readonly businessDays: number }>,
): string | null {
  let date: string | null = from;
  for (let left = businessDays; left > 0 && date !== null; ) {
    date = shiftedDate(date, 1);
    if (date !== null && isBusinessDay(date, holidays)) left -= 1;
  }
  return date;
}

function isBusinessDay(date: string, holidays: "us-federal" | "none"): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  if (day.getUTCDay() === 0 || day.getUTCDay() === 6) return false;
  return holidays === "none" || !usFederalHolidays(day.getUTCFullYear()).has(date);
}
