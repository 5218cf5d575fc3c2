import { VisuallyHidden } from "@mantine/core";
import type { BulkPreview } from "../api/responses.ts";
import { Notice } from "./notices.tsx";

interface BulkPreviewTableProps {
  readonly preview: BulkPreview;
  /** Number of cases. */
  readonly possible: number;
}

/** Of many rows, nobody reads every reason. */
function SkippedReasons({ preview }: { readonly preview: BulkPreview }) {
  const counts = new Map<string, number>();
  for (const { possible, message } of preview.items) {
    if (!possible) counts.set(message ?? "", (counts.get(message ?? "") ?? 0) + 1);
  }
  return (
    <>
      The others are skipped:
      <ul className="plain">
        {[...counts].map(([message, count]) => (
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
      <Notice
        tone={impossible === 0 ? "good" : "warn"}
        title={`Possible for ${possible} of ${preview.items.length} cases. Nothing has been changed yet.`}
      >
        {impossible === 0 ? null : <SkippedReasons preview={preview} />}
      </Notice>
      <div className="table-box bulk-rows">
        <table className="cases">
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
                  <span className={`badge tone-${row.possible ? "good" : "plain"}`}>{row.possible ? "Yes" : "No"}</span>
                </td>
                <td>{row.possible ? null : row.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
