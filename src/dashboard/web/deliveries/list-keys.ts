import { type KeyboardEvent, useEffect, useRef } from "react";
import { useCommands } from "../commands/commands.tsx";

/** Moves the focus along the rows of the page by keys. A row is what has `data-row`: a link or a button, which Enter opens. */
export function useListKeys(): void {
  useCommands({
    "list.next": { run: () => move(1) },
    "list.previous": { run: () => move(-1) },
    "list.open": { run: openFocused },
  });
}

/**
 * For the search field of a list: `/` goes into it, Enter to the first row, Escape out of it.
 * @param isSettled Whether the rows are those of what is typed. Enter waits for them.
 */
export function useSearchKeys(isSettled: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  const waitsForRows = useRef(false);
  useEffect(() => {
    if (isSettled && waitsForRows.current) rowsOnPage()[0]?.focus();
    if (isSettled) waitsForRows.current = false;
  }, [isSettled]);
  useCommands({ "list.search": { run: () => ref.current?.select() } });
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    waitsForRows.current = event.key === "Enter" && !isSettled;
    if (event.key === "Enter" && isSettled) rowsOnPage()[0]?.focus();
    if (event.key !== "Escape") return;
    // A browser would empty the field.
    event.preventDefault();
    event.currentTarget.blur();
  };
  return { ref, onKeyDown };
}

function move(step: 1 | -1): void {
  const rows = rowsOnPage();
  const at = focused(rows);
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

function openFocused(): void {
  const rows = rowsOnPage();
  rows[focused(rows)]?.click();
}

/** The focus may be on something else in the row. */
function focused(rows: readonly HTMLElement[]): number {
  const row = document.activeElement?.closest("tr") ?? null;
  return row === null ? -1 : rows.findIndex((each) => row.contains(each));
}

function rowsOnPage(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")];
}
