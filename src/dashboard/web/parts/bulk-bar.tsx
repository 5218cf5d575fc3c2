import { Button } from "@mantine/core";
import { useState } from "react";
import type { CaseRow } from "../api/responses.ts";
import { formatLocalDate } from "../words/moments.ts";
import { BulkDialog, type BulkTarget } from "./bulk-dialog.tsx";

interface BulkBarProps {
  readonly selected: readonly CaseRow[];
  /** The flight by which the list is filtered. */
  readonly cohort: { readonly flight: string; readonly date: string } | null;
  readonly onClear: () => void;
}

export function BulkBar({ selected, cohort, onClear }: BulkBarProps) {
  const [target, setTarget] = useState<BulkTarget | null>(null);
  return (
    <>
      {selected.length === 0 && cohort === null ? null : (
        <section className="bulk-bar" aria-label="Bulk actions">
          {selected.length === 0 ? null : (
            <>
              <strong>{selected.length === 1 ? "1 case selected" : `${selected.length} cases selected`}</strong>
              <Button onClick={() => setTarget({ caseIds: selected.map(({ id }) => id) })}>Bulk action …</Button>
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
      {target === null ? null : <BulkDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}
