import { VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { defaultRangeExtractor, measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CaseRow } from "../api/responses.ts";
import { type Command, useCommands } from "../commands/commands.tsx";
import "./case-table.css";
import { SelectAll } from "../components/select-all.tsx";
import { toggleRange } from "../components/toggle-range.ts";
import { useNow } from "../components/when.tsx";
import type { QueueFilters } from "./queue-filters.ts";
import { QueueRow, queueColumns } from "./queue-row.tsx";

type Order = QueueFilters["order"];

/** The cases selected for a bulk action. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

interface CaseTableProps {
  readonly items: readonly CaseRow[];
  /** The rows are those of an earlier search or filter. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  /** Called again and again while the end of the list is near and there is more. */
  readonly onNearEnd: () => void;
  /** Null if the role may not take bulk actions. */
  readonly selection: Selection | null;
  readonly order: Order;
  /** Null while the order cannot be chosen. */
  readonly onOrder: ((order: Order) => void) | null;
  readonly onOpen: (caseId: string) => void;
  /** Its row has the focus from the start. */
  readonly focusedFirst: string | null;
}

/** Rows above and below the screen that are in the page, so that scrolling shows no gap. */
const overscan = 10;
/** A list of up to so many rows is in the page as a whole, so that the browser's own search finds them all. */
const wholeListMax = 100;
/** More is read when fewer rows than this are left. */
const rowsLeftMin = 30;

export function CaseTable(props: CaseTableProps) {
  const { items, isStale, hasMore, selection, onOpen } = props;
  const now = useNow();
  const [body, setBody] = useState<HTMLElement | null>(null);
  const toggleOne = useToggle(items, selection);
  const cursor = useCursor(props, toggleOne);
  const rows = useRows(props, body, cursor.index);
  // Nobody sees the head of the cards.
  const onOrder = useIsPhone() ? null : props.onOrder;
  return (
    <div className={isStale ? "table-box stale" : "table-box"}>
      {/* Screen readers say how many rows there are, though most of them are not in the page. */}
      <table className="list cards queue" aria-rowcount={hasMore ? -1 : items.length + 1}>
        <caption>
          <VisuallyHidden>Cases. Flight times are local at the airport, as printed on the ticket.</VisuallyHidden>
        </caption>
        <colgroup>
          {selection === null ? null : <col />}
          {queueColumns.map(({ name, width }) => (
            <col key={name} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection === null ? null : (
              <th scope="col" className="choose">
                <SelectAll
                  items={items}
                  selected={selection.selected}
                  label="Select all cases shown"
                  onChange={(all) => selection.onChange(new Set(all ? items.map(({ id }) => id) : []))}
                />
              </th>
            )}
            {queueColumns.map(({ name, label, note, order }) => (
              <th key={name} scope="col" className={name} aria-sort={order === props.order ? "ascending" : undefined}>
                {order === undefined || onOrder === null ? (
                  label
                ) : (
                  <SortButton label={label} sorted={order} order={props.order} onOrder={onOrder} />
                )}
                {note === undefined ? null : <span className="quiet">{note}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={setBody}>
          {rows.shown.map(({ index, key, before }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <Fragment key={key}>
                <Spacer height={before} />
                <QueueRow
                  item={item}
                  index={index}
                  measure={rows.measure}
                  now={now}
                  isSelected={selection === null ? null : selection.selected.has(item.id)}
                  onToggle={toggleOne}
                  onOpen={onOpen}
                  onFocused={cursor.follow}
                />
              </Fragment>
            );
          })}
          <Spacer height={rows.after} />
        </tbody>
      </table>
    </div>
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly sorted: Order;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
}

/** Sorts by the column, the soonest first, and goes back to what is most urgent when pressed again. */
function SortButton({ label, sorted, order, onOrder }: SortButtonProps) {
  const isSorted = sorted === order;
  return (
    <button
      type="button"
      className="sort"
      title={isSorted || sorted === "due" ? "Most urgent first" : "Soonest first"}
      onClick={() => onOrder(isSorted ? "due" : sorted)}
    >
      {label} <span aria-hidden="true">{isSorted ? "▲" : "↕"}</span>
    </button>
  );
}

/** The room of rows that are not in the page. */
function Spacer({ height }: { readonly height: number }) {
  if (height < 1) return null;
  return (
    <tr aria-hidden="true" className="spacer">
      <td aria-hidden="true" colSpan={queueColumns.length + 1} style={{ height }} />
    </tr>
  );
}

/** `isRange`: also the rows from the one before, as a click with Shift does in mail programs. */
export type Toggle = (caseId: string, isRange: boolean) => void;

function useToggle(items: readonly CaseRow[], selection: Selection | null): Toggle {
  const latest = useRef({ items, selection });
  const before = useRef<string | null>(null);
  useLayoutEffect(() => {
    latest.current = { items, selection };
  });
  return useCallback((caseId, isRange) => {
    const { items: rows, selection: current } = latest.current;
    if (current === null) return;
    const ids = rows.map(({ id }) => id);
    current.onChange(toggleRange(ids, current.selected, isRange ? before.current : null, caseId));
    before.current = caseId;
  }, []);
}

/**
 * Renders only a part of a long list: the rows on the screen, some around them, and the one with the focus, which would be
 * lost otherwise.
 */
function useRows({ items, hasMore, onNearEnd }: CaseTableProps, body: HTMLElement | null, focused: number) {
  const isPhone = useIsPhone();
  const gap = isPhone ? 8 : 0;
  const top = useTop(body);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => (isPhone ? 140 : 48),
    // Another function each time would make it lay out the whole list each time.
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    measureElement: measureWhenLaidOut,
    overscan,
    gap,
    scrollMargin: top,
    rangeExtractor: (range) => {
      if (items.length <= wholeListMax) return items.map((_, index) => index);
      const near = defaultRangeExtractor(range);
      if (focused < 0 || focused >= items.length || near.includes(focused)) return near;
      return [...near, focused].toSorted((one, other) => one - other);
    },
  });
  const rows = virtualizer.getVirtualItems();
  /** Where the row after this one begins if none is left out between them. */
  const endOf = (at: number): number => (rows[at] === undefined ? top : rows[at].end + gap);
  const last = virtualizer.range?.endIndex ?? 0;
  const isNearEnd = hasMore && items.length - last < rowsLeftMin;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  });
  return {
    shown: rows.map(({ index, key, start }, at) => ({ index, key, before: start - endOf(at - 1) })),
    after: top + virtualizer.getTotalSize() + gap - endOf(rows.length - 1),
    measure: virtualizer.measureElement,
  };
}

/**
 * Its height as the browser reports it once it is laid out, which is before it is painted. Asking for the height of each new
 * row would make the browser lay out the page row by row.
 */
const measureWhenLaidOut: typeof measureElement<HTMLElement> = (row, entry, virtualizer) => {
  if (entry !== undefined) return measureElement(row, entry, virtualizer);
  const index = virtualizer.indexFromElement(row);
  const known = virtualizer.itemSizeCache.get(virtualizer.options.getItemKey(index));
  return known ?? virtualizer.options.estimateSize(index);
};

function useIsPhone(): boolean {
  return useMediaQuery("(width < 640px)", undefined, { getInitialValueInEffect: false });
}

/** How far below the top of the document it begins, which changes when anything above it grows. */
function useTop(element: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = (): void => setTop(Math.round(element.getBoundingClientRect().top + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/**
 * The row with the focus, kept by the id of its case, so that a list that is read again moves no other case under it. A
 * case that leaves the list hands its place to the one that follows it.
 */
function useCursor({ items, isStale, selection, onOpen, focusedFirst }: CaseTableProps, toggleOne: Toggle) {
  const [caseId, setCaseId] = useState(focusedFirst);
  const wanted = useRef(focusedFirst);
  const [place, setPlace] = useState(-1);
  const found = caseId === null ? -1 : items.findIndex(({ id }) => id === caseId);
  if (found !== -1 && found !== place) setPlace(found);

  useLayoutEffect(() => {
    if (wanted.current === null || items.length === 0) return;
    // The rows are in the page only once their place on the screen is known.
    if (found === -1 || focusRow(wanted.current)) wanted.current = null;
  });

  const focus = (index: number): void => {
    const item = items[index];
    if (item === undefined) return;
    if (focusRow(item.id)) return;
    // It is not in the page yet.
    wanted.current = item.id;
    setCaseId(item.id);
  };
  const move = (step: 1 | -1): void => {
    const none = step === 1 ? 0 : items.length - 1;
    // The case that followed a vanished one stands in its place now.
    const next = place === -1 ? none : found === -1 && step === 1 ? place : place + step;
    focus(Math.min(Math.max(next, 0), items.length - 1));
  };
  const onFocused = (act: (id: string) => void): Command => ({
    run: () => {
      const row = document.activeElement?.closest<HTMLElement>("tr[data-case]");
      if (row?.dataset["case"] !== undefined) act(row.dataset["case"]);
    },
  });
  const stale = isStale ? "The list is being read." : null;
  const forMany = selection === null ? "Only a supervisor can act on many cases." : null;
  useCommands({
    "queue.next": { obstacle: stale, run: () => move(1) },
    "queue.previous": { obstacle: stale, run: () => move(-1) },
    "queue.open": { obstacle: stale, ...onFocused(onOpen) },
    "queue.select": {
      obstacle: forMany ?? stale,
      ...onFocused((id) => toggleOne(id, false)),
    },
    "queue.select-range": {
      obstacle: forMany ?? stale,
      ...onFocused((id) => toggleOne(id, true)),
    },
    "queue.select-all": {
      obstacle: forMany ?? stale,
      run: () => selection?.onChange(new Set(items.map(({ id }) => id))),
    },
  });
  return { index: found, follow: setCaseId };
}

/** @returns false if the row is not in the page */
export function focusRow(caseId: string): boolean {
  const link = document.querySelector<HTMLElement>(`a[data-row="${CSS.escape(caseId)}"]`);
  link?.focus();
  return link !== null;
}
