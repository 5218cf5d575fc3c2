import { Checkbox } from "@mantine/core";
import { type ComponentType, type MouseEvent, memo } from "react";
import { Link } from "wouter";
import { describeReason } from "../../../cases/outcome-words.ts";
import type { CaseRow } from "../api/responses.ts";
import { CaseStateBadge, SeverityMark } from "../components/badges.tsx";
import { Copyable, References } from "../components/copyable.tsx";
import { DueByChip } from "../components/due-by.tsx";
import { When } from "../components/when.tsx";
import { describeClockRule } from "../labels/clock-words.ts";
import { formatDue, formatInstant, formatLocalDate, formatTimeLeft } from "../labels/moments.ts";
import { describeActor, describeDecision, describeQueue, isPending, needsPerson } from "../labels/state-words.ts";
import type { Toggle } from "./case-table.tsx";
import { describeWorth, formatRoundly } from "./money-words.ts";
import type { QueueFilters } from "./queue-filters.ts";
import { RetimedFlights } from "./retimed-flights.tsx";

interface CellProps {
  readonly item: CaseRow;
  readonly now: Date;
  readonly onOpen: (caseId: string) => void;
}

export interface QueueColumn {
  /** Its class in the style sheet. */
  readonly name: string;
  readonly label: string;
  /** Below the label. */
  readonly note?: string;
  /** The order that sorts by it. */
  readonly order?: QueueFilters["order"];
  /** In pixels. Without one, it takes what the others leave. */
  readonly width?: number;
  /**
   * Its `grid-area` on the card that a row is on a phone: row / column / end of rows / end of columns. Without one, the card
   * leaves it out. Five rows fill a card: more of them need another `max-height` in the style sheet.
   */
  readonly onCard?: string;
  readonly Cell: ComponentType<CellProps>;
}

export const queueColumns: readonly QueueColumn[] = [
  // 2 pax · USD 12,345. On the card the two parts are apart, and this is the place of the first.
  { name: "how-severe", label: "Severity", width: 132, onCard: "5 / 2", Cell: Severity },
  { name: "ids", label: "Order", width: 134, onCard: "1 / 1 / span 2", Cell: Order },
  { name: "decided", label: "Reason", onCard: "4 / 1 / auto / -1", Cell: Decision },
  {
    name: "change",
    label: "What changes",
    note: "local airport times",
    width: 300,
    onCard: "3 / 1 / auto / -1",
    Cell: Change,
  },
  { name: "leaves", label: "Departure", order: "departure", width: 104, Cell: Departure },
  { name: "stands", label: "State", width: 140, onCard: "5 / 1", Cell: State },
  { name: "decide-by", label: "Decide by", order: "due", width: 152, onCard: "1 / 2", Cell: DecideBy },
];

interface QueueRowProps extends CellProps {
  /** In the list, from 0. */
  readonly index: number;
  readonly measure: (row: HTMLElement | null) => void;
  /** Null if the role may not select. */
  readonly isSelected: boolean | null;
  readonly onToggle: Toggle;
  /** Something in the row has got the focus. */
  readonly onFocused: (caseId: string) => void;
}

/**
 * Two lines. A click anywhere in the row opens the case. Keyboards and assistive technology use the link of the order.
 */
export const QueueRow = memo(function QueueRow(props: QueueRowProps) {
  const { item, index, measure, now, isSelected, onToggle, onOpen, onFocused } = props;
  const open = (event: MouseEvent): void => {
    const isSelecting = window.getSelection()?.toString() !== "";
    const isOnControl = event.target instanceof Element && event.target.closest("a, button, .choose") !== null;
    if (!isSelecting && !isOnControl) onOpen(item.id);
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      data-case={item.id}
      data-state={item.state}
      // The head is the first row.
      aria-rowindex={index + 2}
      onClick={open}
      onFocus={() => onFocused(item.id)}
    >
      {isSelected === null ? null : (
        // Shift would also select the text up to here.
        <td className="choose" onMouseDown={(event) => (event.shiftKey ? event.preventDefault() : undefined)}>
          <Checkbox
            size="xs"
            aria-label={`Select ${item.orderId}`}
            checked={isSelected}
            onChange={({ nativeEvent }) => onToggle(item.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
          />
        </td>
      )}
      {queueColumns.map(({ name, onCard, Cell }) => {
        const cell = <Cell item={item} now={now} onOpen={onOpen} />;
        const place =
          onCard === undefined
            ? { className: `${name} not-on-card` }
            : { className: name, style: { gridArea: onCard } };
        return name === "ids" ? (
          <th key={name} scope="row" {...place}>
            {cell}
          </th>
        ) : (
          <td key={name} {...place}>
            {cell}
          </td>
        );
      })}
    </tr>
  );
});

/** How much it matters, and for how many. */
function Severity({ item: { severity, passengerCount, value } }: CellProps) {
  return (
    <>
      <SeverityMark severity={severity} />
      <div className="quiet worth" title={describeWorth(passengerCount, value)}>
        {passengerCount ?? "–"} pax · {value === null ? "–" : formatRoundly(value)}
      </div>
    </>
  );
}

function Order({ item, onOpen }: CellProps) {
  const openHere = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(item.id);
  };
  return (
    <>
      <Copyable value={item.orderId} what="order id">
        <Link href={`/cases/${item.id}`} className="order" data-row={item.id} onClick={openHere}>
          {item.orderId}
        </Link>
      </Copyable>
      <References references={item.gdsBookingReferences} />
    </>
  );
}

/** Why a person is asked comes first; what was decided without one, before its reason. */
function Decision({ item: { decision, lastError }, now }: CellProps) {
  if (decision === null) {
    if (lastError === null) return <span className="quiet">None yet</span>;
    return <Reason what={<span className="quiet">Last error:</span>} text={lastError.message} />;
  }
  const text = describeReason(decision, (at) => formatInstant(new Date(at), now));
  if (decision.action === "review") return <Reason text={text} />;
  const what = (
    <>
      <strong>{describeDecision(decision.action)}</strong>{" "}
      <span className="quiet">by {describeActor(decision.decidedBy, decision.token)}:</span>
    </>
  );
  return <Reason what={what} text={text} />;
}

function Reason({ what, text }: { readonly what?: React.ReactNode; readonly text: string }) {
  return (
    <div className="why" title={text}>
      {what} {text}
    </div>
  );
}

function Change({ item }: CellProps) {
  const times = item.times ?? [];
  if (item.headline === null && times.length === 0) return <span className="quiet">Not read yet</span>;
  // A change that moves no time, such as another flight number, is only in the sentence.
  const isRetimed = times.some(
    (change) => change.bookedDeparture !== change.proposedDeparture || change.bookedArrival !== change.proposedArrival,
  );
  if (!isRetimed && item.headline !== null) return <div className="why">{item.headline}</div>;
  return <RetimedFlights route={item.route} times={times} />;
}

/** The printed local date if it is known, and the time left until the instant of departure. */
function Departure({ item, now }: CellProps) {
  const printed = item.departure?.local ?? item.times?.[0]?.bookedDeparture ?? null;
  if (item.departureAt === null && printed === null) return <span className="quiet">unknown</span>;
  const isOver = item.departureAt !== null && new Date(item.departureAt) < now;
  return (
    <span className={isOver ? "quiet" : undefined}>
      {printed === null ? null : <div>{formatLocalDate(printed.slice(0, 10))}</div>}
      {item.departureAt === null ? null : (
        <div className="quiet">{formatTimeLeft(new Date(item.departureAt), now)}</div>
      )}
    </span>
  );
}

function State({ item, now }: CellProps) {
  return (
    <>
      <CaseStateBadge state={item.state} />
      <div className="one-line">
        <Standing item={item} now={now} />
        {item.assignee === null ? null : <span> {describeActor(item.assignee)}</span>}
      </div>
    </>
  );
}

/** In which queue it waits, when the booking is checked next, or when the case ended. */
function Standing({ item, now }: Pick<CellProps, "item" | "now">) {
  if (item.closedAt !== null) {
    return (
      <span className="quiet">
        <When at={item.closedAt} />
      </span>
    );
  }
  if (needsPerson(item.state) && item.reviewQueue !== null) {
    return <span className="quiet">{describeQueue(item.reviewQueue)}</span>;
  }
  if (isPending(item.state) && item.undoUntil !== null) {
    return (
      <span className="quiet">
        until <When at={item.undoUntil} />
      </span>
    );
  }
  if (item.dueAt === null) return null;
  const due = new Date(item.dueAt);
  return (
    <span className={due < now ? "late" : "quiet"} title="Next check of the booking">
      check {formatDue(due, now)}
    </span>
  );
}

function DecideBy({ item, now }: CellProps) {
  if (item.dueBy !== null) {
    return (
      <>
        <DueByChip dueBy={item.dueBy} now={now} />
        <div className="quiet clock">{describeClockRule(item.dueBy.rule)}</div>
      </>
    );
  }
  if (item.undoUntil !== null && new Date(item.undoUntil) > now) {
    return (
      <span className="quiet">
        can be stopped
        <br />
        until <When at={item.undoUntil} />
      </span>
    );
  }
  return <span className="quiet">–</span>;
}
