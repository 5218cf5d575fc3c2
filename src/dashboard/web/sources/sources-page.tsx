import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { useRead } from "../api/hooks.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";

/** How much each source sends that nobody reads. */
export function SourcesPage() {
  const sources = useRead("GET /members", {}, { refetchInterval: 30_000 });
  return (
    <>
      <div className="page-head">
        <h1>Sources</h1>
        <p className="quiet">
          What a source sends and Skedchange does not know stops automatic actions until it is marked.
        </p>
      </div>
      {sources.isError ? <ErrorCallout problem={sources.error} onRetry={() => void sources.refetch()} /> : null}
      {sources.isPending ? <Loading label="Loading" /> : null}
      {sources.data === undefined ? null : (
        <DataTable
          caption="Sources"
          look="list"
          items={sources.data.items}
          keyOf={({ source }) => source}
          columns={[
            {
              title: "Source",
              cell: ({ source }) => <Link href={`/sources/${encodeURIComponent(source)}/members`}>{source}</Link>,
            },
            { title: "Unmarked members", isNumber: true, cell: ({ openCount }) => openCount.toLocaleString("en") },
            {
              title: "Cases that wait for them",
              label: "Cases that wait",
              isNumber: true,
              cell: ({ waitingCount }) => waitingCount.toLocaleString("en"),
            },
            {
              title: "Learning",
              cell: ({ learning }) =>
                learning === null ? (
                  <span className="quiet">–</span>
                ) : (
                  `${learning.observed} of ${counted(learning.wanted, "order")} observed`
                ),
            },
          ]}
        />
      )}
    </>
  );
}
