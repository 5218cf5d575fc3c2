import { Checkbox } from "@mantine/core";
import type { MouseEvent } from "react";
import { Link, useLocation } from "wouter";
import type { CaseRow } from "../api/responses.ts";
import { describeClockRule } from "../words/clock-words.ts";
import { formatDue, formatLocalDate, formatTimeLeft } from "../words/moments.ts";
import { describeActor, describeDecision, describeQueue } from "../words/state-words.ts";
import { CaseStateBadge, SeverityMark } from "./badges.tsx";
import { type Selection, toggle } from "./case-table.tsx";
import { CopyButton, References } from "./copyable.tsx";
import { DueByChip } from "./due-by.tsx";
import { RetimedFlights } from "./retimed-flights.tsx";
import { When } from "./when.tsx";

interface CellProps {
  readonly item: CaseRow;
  readonly now: Date;
}

interface QueueRowProps extends CellProps {
  readonly selection: Selection | null;
}

/** A click anywhere in the row opens the case. Keyboards and assistive technology use the link of the order. */
export function QueueRow({ item, now, selection }: QueueRowProps) {
  const [, navigate] = useLocation();
  const href = `/cases/${item.id}`;
  const open = (event: MouseEvent): void => {
    const isSelecting = window.getSelection()?.toString() !== "";
    const isOnControl = event.target instanceof Element && event.target.closest("a, button, .choose") !== null;
    if (!isSelecting && !isOnControl) navigate(href);
  };
  return (
    <tr onClick={open} data-state={item.state}>
      {selection === null ? null : (
        <td className="choose">
          <Checkbox
            size="xs"
            aria-label={`Select ${item.orderId}`}
            checked={selection.selected.has(item.id)}
            onChange={() => selection.onChange(toggle(selection.selected, item.id))}
          />
        </td>
      )}
      <td className="how-severe">
        <SeverityMark severity={item.severity} />
        {item.closedAt === null ? (
          <div className="quiet priority" title="0 is most urgent">
            priority {item.priority}
          </div>
        ) : null}
      </td>
      <th scope="row">
        <span className="copyable">
          <Link href={href} className="order" data-row={item.id}>
            {item.orderId}
          </Link>
          <CopyButton value={item.orderId} what="order id" />
        </span>
        <References references={item.gdsBookingReferences} />
      </th>
      <td className="change">
        <Change item={item} />
      </td>
      <td className="leaves" data-label="Departure">
        <Departure item={item} now={now} />
      </td>
      <td className="stands" data-label="State">
        <CaseStateBadge state={item.state} />
        {item.reviewQueue === null ? null : <div className="quiet">{describeQueue(item.reviewQueue)}</div>}
        <NextCheck item={item} now={now} />
      </td>
      <td className="decided">
        <Decision item={item} />
      </td>
      <td className="decide-by" data-label="Decide by">
        <DecideBy item={item} now={now} />
      </td>
      <td className="assigned" data-label="Assignee">
        {item.assignee === null ? <span className="quiet">Unassigned</span> : describeActor(item.assignee)}
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

/** The printed local date if it is known, and the time left until the instant of departure. */
function Departure({ item, now }: CellProps) {
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
      <>
        <div className="quiet">{lastError === null ? "None yet" : "None yet. Last error:"}</div>
        {lastError === null ? null : <div className="reason">{lastError.message}</div>}
      </>
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

/** When the booking is checked next, or when the case ended. */
function NextCheck({ item, now }: CellProps) {
  if (item.closedAt !== null) {
    return (
      <div className="quiet waits">
        <When at={item.closedAt} />
      </div>
    );
  }
  if (item.dueAt === null) return null;
  const due = new Date(item.dueAt);
  return (
    <div className={due < now ? "overdue waits" : "quiet waits"} title="Next check of the booking">
      check {formatDue(due, now)}
    </div>
  );
}

function DecideBy({ item, now }: CellProps) {
  if (item.dueBy !== null) {
    return (
      <>
        <DueByChip dueBy={item.dueBy} now={now} />
        <div className="quiet rule">{describeClockRule(item.dueBy.rule)}</div>
      </>
    );
  }
  if (item.undoUntil !== null && new Date(item.undoUntil) > now) {
    return (
      <span className="quiet waits">
        can be stopped
        <br />
        until <When at={item.undoUntil} />
      </span>
    );
  }
  return <span className="quiet">–</span>;
}
