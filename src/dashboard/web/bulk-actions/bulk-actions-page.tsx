import { SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useList } from "../api/hooks.ts";
import type { ListedBulkAction } from "../api/responses.ts";
import { ExportCsv } from "../components/export-csv.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { bulkStateWords, describeBulkCommand, describeSkipped } from "./bulk-words.ts";

const shownStates = [
  { value: "all", label: "All" },
  { value: "running", label: "Running" },
  { value: "stopped", label: "Stopped" },
  { value: "finished", label: "Finished" },
] as const;

type ShownState = (typeof shownStates)[number]["value"];

/** The event stream does not announce bulk actions, so the list is polled: faster while one is running. */
const progressMs = 2_000;
const refreshMs = 15_000;

export function BulkActionsPage() {
  const [state, setState] = useState<ShownState>("all");
  const actions = useList(
    "GET /bulk-actions",
    { query: { state: state === "all" ? "" : state } },
    {
      refetchInterval: (pages) =>
        pages.some(({ items }) => items.some((item) => item.state === "running")) ? progressMs : refreshMs,
    },
  );
  return (
    <>
      <div className="page-head">
        <h1>Bulk actions</h1>
        <p className="quiet">Actions on many cases at once, and their progress.</p>
      </div>
      <div className="filters">
        <SegmentedControl aria-label="State" data={[...shownStates]} value={state} onChange={setState} />
        <ExportCsv list="/bulk-actions.csv" query={{ state: state === "all" ? "" : state }} />
      </div>
      <PagedList
        list={actions}
        empty={{
          title: emptyTitles[state],
          text: "A supervisor selects cases in the queue, or all cases of one flight, and starts an action on them. Its progress and the outcome for each case are shown here.",
        }}
      >
        {(items) => <BulkActionTable items={items} />}
      </PagedList>
    </>
  );
}

const emptyTitles: Readonly<Record<ShownState, string>> = {
  all: "No bulk actions yet",
  running: "No bulk action is running",
  stopped: "No bulk action was stopped",
  finished: "No bulk action has finished",
};

function BulkActionTable({ items }: { readonly items: readonly ListedBulkAction[] }) {
  return (
    <div className="table-box">
      <table className="list cards">
        <caption>
          <VisuallyHidden>Bulk actions</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Action</th>
            <th scope="col">State</th>
            <th scope="col">Cases</th>
            <th scope="col">Done or queued</th>
            <th scope="col">Skipped</th>
            <th scope="col">Remaining</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <BulkActionLine key={item.id} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function BulkActionLine({ item }: { readonly item: ListedBulkAction }) {
  const { label, tone } = bulkStateWords[item.state];
  const { total, accepted, refused, conflict, notFound, waiting } = item.counts;
  return (
    <tr>
      <th scope="row">
        <Link href={`/bulk-actions/${item.id}`} className="order">
          {describeBulkCommand(item.command)}
        </Link>
        <div className="quiet">
          <When at={item.askedAt} /> by {describeActor(item.askedBy, item.token)}
        </div>
      </th>
      <td className="waits" data-label="State">
        <span className={`badge tone-${tone}`}>{label}</span>
        {item.finishedAt === null ? null : (
          <div className="quiet">
            <When at={item.finishedAt} />
          </div>
        )}
      </td>
      <td data-label="Cases">{total.toLocaleString("en")}</td>
      <td data-label="Done or queued">{accepted.toLocaleString("en")}</td>
      <td className="waits" data-label="Skipped">
        {(refused + conflict + notFound).toLocaleString("en")}
        {describeSkipped(item.counts).map((skipped) => (
          <div key={skipped} className="quiet">
            {skipped}
          </div>
        ))}
      </td>
      <td data-label="Remaining">{waiting.toLocaleString("en")}</td>
      <td>{item.command.note === null ? null : <div className="reason">{item.command.note}</div>}</td>
    </tr>
  );
}
