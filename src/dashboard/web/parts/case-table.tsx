import { Checkbox, VisuallyHidden } from "@mantine/core";
import { type RefObject, useRef } from "react";
import type { CaseRow } from "../api/responses.ts";
import { useKey } from "./keys.ts";
import { QueueRow } from "./queue-row.tsx";
import { useNow } from "./when.tsx";

/** The cases selected for a bulk action. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
}

interface CaseTableProps {
  readonly items: readonly CaseRow[];
  readonly isStale: boolean;
  /** Null if the role may not take bulk actions. */
  readonly selection: Selection | null;
}

export function CaseTable({ items, isStale, selection }: CaseTableProps) {
  const now = useNow();
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body, selection);
  const selectedHere = items.filter(({ id }) => selection?.selected.has(id)).length;
  return (
    <div className={isStale ? "table-box stale" : "table-box"}>
      <table className="cases cards queue">
        <caption>
          <VisuallyHidden>Cases. Flight times are local at the airport, as printed on the ticket.</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {selection === null ? null : (
              <th scope="col" className="choose">
                <Checkbox
                  size="xs"
                  aria-label="Select all cases shown"
                  checked={selectedHere === items.length}
                  indeterminate={selectedHere > 0 && selectedHere < items.length}
                  onChange={(event) =>
                    selection.onChange(new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []))
                  }
                />
              </th>
            )}
            <th scope="col">Severity</th>
            <th scope="col">Order</th>
            <th scope="col">
              What changes <span className="quiet">local airport times</span>
            </th>
            <th scope="col">Departure</th>
            <th scope="col">State</th>
            <th scope="col">Decision and reason</th>
            <th scope="col">Decide by</th>
            <th scope="col">Assignee</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {items.map((item) => (
            <QueueRow key={item.id} item={item} now={now} selection={selection} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `j` and `k` move between the rows, `x` selects the focused one. */
function useRowKeys(body: RefObject<HTMLTableSectionElement | null>, selection: Selection | null): void {
  const links = (): HTMLAnchorElement[] => [
    ...(body.current?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? []),
  ];
  const current = (all: readonly HTMLAnchorElement[]): number =>
    all.findIndex((link) => link.closest("tr")?.contains(document.activeElement));
  const move = (step: 1 | -1): void => {
    const all = links();
    const at = current(all);
    const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step;
    all[Math.min(Math.max(next, 0), all.length - 1)]?.focus();
  };
  useKey("j", () => move(1));
  useKey("k", () => move(-1));
  useKey("x", () => {
    const all = links();
    const id = all[current(all)]?.dataset["row"];
    if (id !== undefined && selection !== null) selection.onChange(toggle(selection.selected, id));
  });
}

export function toggle(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
