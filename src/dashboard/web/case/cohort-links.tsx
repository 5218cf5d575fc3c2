import { Link } from "wouter";
import { useRead } from "../api/hooks.ts";
import type { CaseView } from "../api/responses.ts";
import { formatLocalDate } from "../labels/moments.ts";
import { addressOf, allCases } from "../queue/queue-filters.ts";

/** Larger counts are shown as `50+`. */
const countedMax = 50;
/** One more than are counted, and the case itself. */
const readMax = countedMax + 2;

/** Links to the other cases of the same flights, whatever their state. */
export function CohortLinks({ caseView }: { readonly caseView: CaseView }) {
  const flights = new Map(
    (caseView.times ?? []).flatMap(({ flight, bookedDeparture }) => {
      if (bookedDeparture === null) return [];
      const date = bookedDeparture.slice(0, 10);
      return [[`${flight}/${date}`, { flight, date }] as const];
    }),
  );
  return [...flights].map(([key, { flight, date }]) => (
    <CohortLink key={key} caseId={caseView.id} flight={flight} date={date} />
  ));
}

interface CohortLinkProps {
  readonly caseId: string;
  readonly flight: string;
  /** Booked local date of departure, `yyyy-mm-dd`. */
  readonly date: string;
}

function CohortLink({ caseId, flight, date }: CohortLinkProps) {
  const cohort = useRead("GET /cases", { query: { flight, flightDate: date, limit: readMax } }, { staleTime: 30_000 });
  const others = cohort.data?.items.filter(({ id }) => id !== caseId).length ?? 0;
  if (others === 0) return null;
  const count = others > countedMax ? `${countedMax}+` : String(others);
  return (
    <p>
      <Link href={`/?${addressOf({ ...allCases, flight, flightDate: date })}`}>
        {count} {others === 1 ? "other" : "others"} on {flight}, {formatLocalDate(date)}
      </Link>
    </p>
  );
}
