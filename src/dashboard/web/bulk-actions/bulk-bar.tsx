import { Button } from "@mantine/core";
import { useState } from "react";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import { counted } from "../../../kernel/counted.ts";
import type { CaseRow } from "../api/responses.ts";
import { type Command, useCommands } from "../commands/commands.tsx";
import { formatLocalDate } from "../labels/moments.ts";
import { BulkDialog, type BulkTarget } from "./bulk-dialog.tsx";

interface BulkBarProps {
  readonly selected: readonly CaseRow[];
  /** The flight by which the list is filtered. */
  readonly cohort: { readonly flight: string; readonly date: string } | null;
  /** The filters of the list, if more cases match than it has loaded. */
  readonly more: NonNullable<BulkTarget["filter"]> | null;
  readonly onClear: () => void;
}

export function BulkBar({ selected, cohort, more, onClear }: BulkBarProps) {
  const [target, setTarget] = useState<BulkTarget | null>(null);
  const [action, setAction] = useState<CaseActionName | null>(null);
  const close = (): void => {
    setTarget(null);
    setAction(null);
  };
  const isNone = selected.length === 0;
  const startWith = (name: CaseActionName): Command => ({
    obstacle: isNone ? "Select cases first, with x or Ctrl A." : null,
    run: () => {
      setAction(name);
      setTarget({ caseIds: selected.map(({ id }) => id) });
    },
  });
  useCommands({
    "queue.accept": startWith("accept"),
    "queue.cancel": startWith("cancel"),
    "queue.snooze": startWith("snooze"),
  });
  return (
    <>
      {selected.length === 0 && cohort === null ? null : (
        <section className="bulk-bar" aria-label="Bulk actions">
          {selected.length === 0 ? null : (
            <>
              <strong>{counted(selected.length, "case")} selected</strong>
              <Button onClick={() => setTarget({ caseIds: selected.map(({ id }) => id) })}>Bulk action …</Button>
              {more === null ? null : (
                <Button variant="default" onClick={() => setTarget({ filter: more })}>
                  Bulk action on all that match …
                </Button>
              )}
              <Button variant="default" onClick={onClear}>
                Clear selection
              </Button>
            </>
          )}
          {cohort === null ? null : (
            <Button variant="default" onClick={() => setTarget({ cohort })}>
              Bulk action on all of {cohort.flight}, {formatLocalDate(cohort.date)} …
            </Button>
          )}
        </section>
      )}
      {target === null ? null : <BulkDialog target={target} startWith={action} onClose={close} />}
    </>
  );
}
