/** Legal public holidays of the United States, 5 U.S.C. 6103: month (1 to 12), and a day or a weekday of the month. */
const holidays: readonly (
  | { readonly month: number; readonly day: number; readonly since?: number }
  | { readonly month: number; readonly weekday: number; readonly nth: number }
)[] = [
  { month: 1, day: 1 },
  { month: 1, weekday: 1, nth: 3 },
  { month: 2, weekday: 1, nth: 3 },
  { month: 5, weekday: 1, nth: -1 },
  { month: 6, day: 19, since: 2021 },
  { month: 7, day: 4 },
  { month: 9, weekday: 1, nth: 1 },
  { month: 10, weekday: 1, nth: 2 },
  { month: 11, day: 11 },
  { month: 11, weekday: 4, nth: 4 },
  { month: 12, day: 25 },
];

/**
 * Returns the observed federal holidays of a year, yyyy-mm-dd: a Saturday moves to the Friday before, a Sunday to the
 * Monday after. New Year's Day on a Saturday is observed, and listed, in the year before.
 */
export function usFederalHolidays(year: number): ReadonlySet<string> {
  const own = [...datesIn(year), ...datesIn(year + 1)].map(observed);
  return new Set(own.filter((date) => date.startsWith(`${year}-`)));
}

function datesIn(year: number): readonly Date[] {
  return holidays.flatMap((holiday) => {
    if ("weekday" in holiday) return [nthWeekday(year, holiday)];
    return year < (holiday.since ?? year) ? [] : [new Date(Date.UTC(year, holiday.month - 1, holiday.day))];
  });
}

function nthWeekday(year: number, { month, weekday, nth }: { month: number; weekday: number; nth: number }): Date {
  if (nth < 0) {
    const last = new Date(Date.UTC(year, month, 0));
    return addDays(last, -((last.getUTCDay() - weekday + 7) % 7));
  }
  const first = new Date(Date.UTC(year, month - 1, 1));
  return addDays(first, ((weekday - first.getUTCDay() + 7) % 7) + (nth - 1) * 7);
}

function observed(date: Date): string {
  const weekday = date.getUTCDay();
  const shift = weekday === 6 ? -1 : weekday === 0 ? 1 : 0;
  return addDays(date, shift).toISOString().slice(0, 10);
}

function addDays(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000);
}
