import { VisuallyHidden } from "@mantine/core";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { useRead } from "../api/hooks.ts";
import { ErrorNotice, Loading } from "../parts/notices.tsx";

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
      {sources.isError ? <ErrorNotice problem={sources.error} onRetry={() => void sources.refetch()} /> : null}
      {sources.isPending ? <Loading label="Loading" /> : null}
      {sources.data === undefined ? null : (
        <div className="table-box">
          <table className="cases cards">
            <caption>
              <VisuallyHidden>Sources</VisuallyHidden>
            </caption>
            <thead>
              <tr>
                <th scope="col">Source</th>
                <th scope="col">Members to answer</th>
                <th scope="col">Cases that wait for them</th>
                <th scope="col">Learning</th>
              </tr>
            </thead>
            <tbody>
              {sources.data.items.map(({ source, openCount, waitingCount, learning }) => (
                <tr key={source}>
                  <th scope="row">
                    <Link href={`/sources/${encodeURIComponent(source)}/members`}>{source}</Link>
                  </th>
                  <td data-label="Members to answer">{openCount.toLocaleString("en")}</td>
                  <td data-label="Cases that wait">{waitingCount.toLocaleString("en")}</td>
                  <td data-label="Learning">
                    {learning === null ? (
                      <span className="quiet">–</span>
                    ) : (
                      `${learning.observed} of ${counted(learning.wanted, "order")} observed`
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
