import { Checkbox, VisuallyHidden } from "@mantine/core";
import { counted } from "../../../kernel/counted.ts";
import type { BulkPreview } from "../api/responses.ts";
import { dangerWords, describeCheck } from "../case/accept-dangers.ts";
import { Callout } from "../components/callouts.tsx";

interface BulkDangersProps {
  readonly rows: BulkPreview["items"];
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

/** Shows cases with dangers. An accept leaves them out until somebody says that they were checked. */
export function BulkDangers({ rows, isChecked, onChange }: BulkDangersProps) {
  const isOne = rows.length === 1;
  return (
    <div className="danger-box" role="group" aria-label="Danger">
      <p>
        {counted(rows.length, "case")} {isOne ? "is" : "are"} left out:
      </p>
      <ul className="plain">
        {Object.entries(countEach(rows.flatMap(({ dangers }) => dangers.map((danger) => dangerWords[danger])))).map(
          ([words, count]) => (
            <li key={words}>
              {count.toLocaleString("en")} × {words}.
            </li>
          ),
        )}
      </ul>
      <Checkbox
        label={`Accept ${isOne ? "it" : "them"}, too. ${describeCheck(
          rows.flatMap(({ dangers }) => dangers),
          isOne ? "it" : "each",
        )}`}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}

function countEach(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

interface BulkPreviewTableProps {
  readonly preview: BulkPreview;
  /** Number of cases. */
  readonly possible: number;
}

/** Counts the skipped cases by reason: nobody reads the reasons of many rows. */
function SkippedReasons({ preview }: { readonly preview: BulkPreview }) {
  const counts = countEach(preview.items.flatMap(({ possible, message }) => (possible ? [] : [message ?? ""])));
  return (
    <>
      The others are skipped:
      <ul className="plain">
        {Object.entries(counts).map(([message, count]) => (
          <li key={message}>
            {count.toLocaleString("en")} × {message}
          </li>
        ))}
      </ul>
    </>
  );
}

/** For each case, whether the action is possible and if not, why. */
export function BulkPreviewTable({ preview, possible }: BulkPreviewTableProps) {
  const impossible = preview.items.length - possible;
  return (
    <>
      <Callout
        tone={impossible === 0 ? "good" : "warn"}
        title={`Possible for ${possible} of ${counted(preview.items.length, "case")}. Nothing has been changed yet.`}
      >
        {impossible === 0 ? null : <SkippedReasons preview={preview} />}
      </Callout>
      <div className="table-box bulk-rows">
        <table className="list">
          <caption>
            <VisuallyHidden>Preview for each case</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Possible</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {preview.items.map((row) => (
              <tr key={row.caseId}>
                <th scope="row">{row.orderId}</th>
                <td>
                  <PossibleBadge row={row} />
                </td>
                <td>{row.possible ? row.dangers.map((danger) => dangerWords[danger]).join(". ") : row.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function PossibleBadge({ row: { possible, dangers } }: { readonly row: BulkPreview["items"][number] }) {
  if (!possible) return <span className="badge tone-plain">No</span>;
  if (dangers.length > 0) return <span className="badge tone-warn">Check first</span>;
  return <span className="badge tone-good">Yes</span>;
}
