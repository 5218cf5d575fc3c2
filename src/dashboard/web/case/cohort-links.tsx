import { Link } from "wouter";
import { useRead } from "../api/hooks.ts";
import type { CaseView } from "../api/responses.ts";
import { formatLocalDate } from "../labels/moments.ts";

/** Larger counts are shown as `50+`. */
const countedMax = 50;

/** Links to the other cases of the same flights. */
export function CohortLinks({ caseView }: { readonly caseView: CaseView }) {
  const flights = new Map(
    (caseView.times ?? []).flatMap(({ flight, bookedDeparture }) =>
      bookedDeparture === null ? [] : [[`${flight}/${bookedDeparture.slice(0, 10)}`, flight] as const],
    ),
  );
  return [...flights].map(([key, flight]) => (
    <CohortLink key={key} caseId={caseView.id} flight={flight} date={key.slice(flight.length + 1)} />
  ));
}

interface CohortLinkProps {
  readonly caseId: string;
  readonly flight: string;
  /** Booked local date of departure, `yyyy-mm-dd`. */
  readonly date: string;
}

function CohortLink({ caseId, flight, date }: CohortLinkProps) {
  const cohort = useRead(
    "GET /cases",
    { query: { flight, flightDate: date, limit: countedMax } },
    { staleTime: 30_000 },
  );
  const others = cohort.data?.items.filter(({ id }) => id !== caseId).length ?? 0;
  if (others === 0) return null;
  const count = cohort.data?.nextCursor == null ? String(others) : `${others}+`;
  return (
    <p>
      <Link href={`/?${new URLSearchParams({ flight, flightDate: date }).toString()}`}>
        {count} {others === 1 ? "other" : "others"} on {flight}, {formatLocalDate(date)}
      </Link>
    </p>
  );
}
