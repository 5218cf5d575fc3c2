import { Button, Progress, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import type { BulkActionRow, BulkActionView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { BackIcon } from "../parts/icons.tsx";
import { ErrorNotice, Loading } from "../parts/notices.tsx";
import { When } from "../parts/when.tsx";
import { bulkStateWords, describeBulkCommand, outcomeWords } from "../words/bulk-words.ts";
import { describeActor } from "../words/state-words.ts";

const progressMs = 1_000;

/** The bulk action continues when this page is left. */
export function BulkActionPage({ id }: { readonly id: string }) {
  const bulk = useQuery({
    queryKey: ["bulk-action", id],
    queryFn: () => api.readBulk(id),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? progressMs : false),
  });
  return (
    <>
      <title>Bulk action · Skedchange</title>
      <Link href="/bulk-actions" className="back">
        <BackIcon /> Bulk actions
      </Link>
      {bulk.isPending ? <Loading label="Loading" /> : null}
      {bulk.isError ? <ErrorNotice problem={bulk.error} onRetry={() => void bulk.refetch()} /> : null}
      {bulk.data === undefined ? null : <BulkActionDetails bulk={bulk.data} />}
    </>
  );
}

function BulkActionDetails({ bulk }: { readonly bulk: BulkActionView }) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => api.stopBulk(bulk.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["bulk-action", bulk.id] }),
  });
  const done = bulk.rows.filter(({ outcome }) => outcome !== null).length;
  const accepted = bulk.rows.filter(({ outcome }) => outcome === "accepted").length;
  const { label, tone } = bulkStateWords[bulk.state];
  return (
    <>
      <div className="page-head">
        <div className="case-title">
          <h1>{describeBulkCommand(bulk.command)}</h1>
          <span className={`badge tone-${tone}`}>{label}</span>
        </div>
        {bulk.state === "running" && isRoleAtLeast(user.role, requiredRoles.actOnManyCases) ? (
          <Button className="danger-filled" loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        ) : null}
      </div>
      <p className="quiet">
        Started by {describeActor(bulk.askedBy)}, <When at={bulk.askedAt} long />
      </p>
      {bulk.command.note === null ? null : <blockquote className="note">{bulk.command.note}</blockquote>}
      {stop.isError ? <ErrorNotice problem={stop.error} title="The bulk action was not stopped" /> : null}
      <section className="panel spaced" aria-label="Progress">
        <Progress.Root size="lg">
          <Progress.Section
            value={bulk.rows.length === 0 ? 100 : (100 * done) / bulk.rows.length}
            aria-label="Cases done"
          />
        </Progress.Root>
        <p role="status">
          {done} of {bulk.rows.length} done: {accepted} accepted, {done - accepted} skipped
          {bulk.state === "stopped" ? `; the other ${bulk.rows.length - done} were not changed` : ""}.
        </p>
      </section>
      <div className="table-box">
        <table className="cases cards">
          <caption>
            <VisuallyHidden>Outcome for each case</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Outcome</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {bulk.rows.map((row) => (
              <tr key={row.caseId}>
                <th scope="row">
                  <Link href={`/cases/${row.caseId}`} className="order">
                    {row.orderId ?? "unknown order"}
                  </Link>
                </th>
                <td>
                  <Outcome row={row} isRunning={bulk.state === "running"} />
                </td>
                <td>{row.message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Outcome({ row, isRunning }: { readonly row: BulkActionRow; readonly isRunning: boolean }) {
  const { label, tone } =
    row.outcome === null
      ? ({ label: isRunning ? "Waiting" : "Not changed", tone: "plain" } as const)
      : outcomeWords[row.outcome];
  return <span className={`badge tone-${tone}`}>{label}</span>;
}
