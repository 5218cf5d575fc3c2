import type { MouseEvent } from "react";
import { Link, useLocation } from "wouter";
import type { CaseRow } from "../api/answers.ts";
import { formatDue, formatLocalDate, formatTimeLeft } from "../words/moments.ts";
import { describeActor, describeDecision, describeQueue } from "../words/state-words.ts";
import { CaseStateBadge, SeverityMark } from "./badges.tsx";
import { CopyButton, References } from "./copyable.tsx";
import { RetimedFlights } from "./retimed-flights.tsx";
import { When } from "./when.tsx";

interface QueueRowProps {
  readonly item: CaseRow;
  readonly now: Date;
}

/** One case. The order's link is what keyboards and assistive technology use; a click anywhere in the row does the same. */
export function QueueRow({ item, now }: QueueRowProps) {
  const [, navigate] = useLocation();
  const href = `/cases/${item.id}`;
  const open = (event: MouseEvent): void => {
    const isSelecting = window.getSelection()?.toString() !== "";
    const isOnControl = event.target instanceof Element && event.target.closest("a, button") !== null;
    if (!isSelecting && !isOnControl) navigate(href);
  };
  return (
    <tr onClick={open} data-state={item.state}>
      <td>
        <SeverityMark severity={item.severity} />
      </td>
      <th scope="row">
        <span className="copyable">
          <Link href={href} className="order" data-row="">
            {item.orderId}
          </Link>
          <CopyButton value={item.orderId} what="order id" />
        </span>
        <References references={item.gdsBookingReferences} />
      </th>
      <td>
        <Change item={item} />
      </td>
      <td>
        <Departure item={item} now={now} />
      </td>
      <td>
        <CaseStateBadge state={item.state} />
        {item.reviewQueue === null ? null : <div className="quiet">{describeQueue(item.reviewQueue)}</div>}
      </td>
      <td>
        <Decision item={item} />
      </td>
      <td>
        <NextLook item={item} now={now} />
      </td>
    </tr>
  );
}

function Change({ item }: { readonly item: CaseRow }) {
  const times = item.times ?? [];
  if (item.headline === null && times.length === 0) return <span className="quiet">Not read yet</span>;
  // A change that moves no time, such as another flight number, is only in the sentence.
  const isRetimed = times.some(
    (change) => change.bookedDeparture !== change.proposedDeparture || change.bookedArrival !== change.proposedArrival,
  );
  if (!isRetimed && item.headline !== null) return <>{item.headline}</>;
  return (
    <>
      {item.route == null ? null : <span className="route">{item.route}</span>}
      <RetimedFlights times={times} />
    </>
  );
}

/** The printed date of the flight where it is known; the instant decides how long there is left. */
function Departure({ item, now }: QueueRowProps) {
  const printed = item.times?.[0]?.bookedDeparture ?? null;
  if (item.departureAt === null && printed === null) return <span className="quiet">unknown</span>;
  const isOver = item.departureAt !== null && new Date(item.departureAt) < now;
  return (
    <span className={isOver ? "departure quiet" : "departure"}>
      {printed === null ? null : <div>{formatLocalDate(printed.slice(0, 10))}</div>}
      {item.departureAt === null ? null : (
        <div className="quiet">{formatTimeLeft(new Date(item.departureAt), now)}</div>
      )}
    </span>
  );
}

function Decision({ item }: { readonly item: CaseRow }) {
  const { decision, lastError } = item;
  if (decision === null) {
    return (
      <span className="quiet">{lastError === null ? "None yet" : `None yet; last try: ${lastError.message}`}</span>
    );
  }
  return (
    <>
      <div>
        <strong>{describeDecision(decision.action)}</strong>
        {decision.action === "review" ? null : <span className="quiet"> by {describeActor(decision.decidedBy)}</span>}
      </div>
      <div className="reason">{decision.reasons[0]?.text ?? decision.rule}</div>
    </>
  );
}

function NextLook({ item, now }: QueueRowProps) {
  if (item.dueAt !== null) {
    const due = new Date(item.dueAt);
    return (
      <>
        <div className={due < now ? "overdue" : undefined}>{formatDue(due, now)}</div>
        <div className="quiet">
          <When at={item.dueAt} />
        </div>
      </>
    );
  }
  if (item.closedAt !== null) {
    return (
      <span className="quiet waits">
        ended
        <br />
        <When at={item.closedAt} />
      </span>
    );
  }
  return (
    <span className="quiet waits">
      waits since
      <br />
      <When at={item.updatedAt} />
    </span>
  );
}
