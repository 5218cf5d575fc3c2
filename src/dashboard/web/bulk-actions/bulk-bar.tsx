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
  /** The one flight that the list is filtered by. */
  readonly cohort: { readonly flight: string; readonly date: string } | null;
  /** The filters of the list, if more cases match than it has loaded. */
  readonly more: NonNullable<BulkTarget["filter"]> | null;
  readonly onClear: () => void;
}

export function BulkBar(props: BulkBarProps) {
  const { selected } = props;
  const [target, setTarget] = useState<BulkTarget | null>(null);
  const [action, setAction] = useState<CaseActionName | null>(null);
  const close = (): void => {
    setTarget(null);
    setAction(null);
  };
  const ofSelection: BulkTarget = { caseIds: selected.map(({ id }) => id) };
  const startWith = (name: CaseActionName): Command => ({
    obstacle: selected.length === 0 ? "Select cases first, with x or Ctrl A." : null,
    run: () => {
      setAction(name);
      setTarget(ofSelection);
    },
  });
  useCommands({
    "queue.accept": startWith("accept"),
    "queue.cancel": startWith("cancel"),
    "queue.snooze": startWith("snooze"),
  });
  return (
    <>
      <BulkButtons {...props} ofSelection={ofSelection} onChoose={setTarget} />
      {target === null ? null : <BulkDialog target={target} startWith={action} onClose={close} />}
    </>
  );
}

interface BulkButtonsProps extends BulkBarProps {
  readonly ofSelection: BulkTarget;
  readonly onChoose: (target: BulkTarget) => void;
}

/** Beside the dialog, which stays open when the list is read again and no longer has the cases that were selected. */
function BulkButtons({ selected, cohort, more, onClear, ofSelection, onChoose }: BulkButtonsProps) {
  const isNone = selected.length === 0;
  if (isNone && cohort === null) return null;
  return (
    <section className="bulk-bar" aria-label="Bulk actions">
      {isNone ? null : (
        <>
          <strong>{counted(selected.length, "case")} selected</strong>
          <Button onClick={() => onChoose(ofSelection)}>Bulk action …</Button>
          {more === null ? null : (
            <Button variant="default" onClick={() => onChoose({ filter: more })}>
              Bulk action on all that match …
            </Button>
          )}
          <Button variant="default" onClick={onClear}>
            Clear selection
          </Button>
        </>
      )}
      {cohort === null ? null : (
        <Button variant="default" onClick={() => onChoose({ cohort })}>
          Bulk action on all of {cohort.flight}, {formatLocalDate(cohort.date)} …
        </Button>
      )}
    </section>
  );
}
