import { Button, Progress, VisuallyHidden } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { BulkActionRow, BulkActionView } from "../api/answers.ts";
import { api } from "../api/api-client.ts";
import { BackIcon } from "../parts/icons.tsx";
import { ErrorNotice, Waiting } from "../parts/notices.tsx";
import { When } from "../parts/when.tsx";
import { actionWords } from "../words/case-actions.ts";
import { describeActor, type Tone } from "../words/state-words.ts";

/** How often the rows are read while they are worked off. */
const progressMs = 1_000;

/** One action on many cases: how far it got, what became of each, and a stop. It goes on when this page is left. */
export function BulkActionPage({ id }: { readonly id: string }) {
  const bulk = useQuery({
    queryKey: ["bulk-action", id],
    queryFn: () => api.readBulk(id),
    refetchInterval: ({ state }) => (state.data?.state === "running" ? progressMs : false),
  });
  return (
    <>
      <title>Action on several cases · Skedchange</title>
      <Link href="/" className="back">
        <BackIcon /> Queue
      </Link>
      {bulk.isPending ? <Waiting label="Loading" /> : null}
      {bulk.isError ? <ErrorNotice problem={bulk.error} onRetry={() => void bulk.refetch()} /> : null}
      {bulk.data === undefined ? null : <Found bulk={bulk.data} />}
    </>
  );
}

const stateWords: Readonly<Record<BulkActionView["state"], { readonly label: string; readonly tone: Tone }>> = {
  running: { label: "Running", tone: "busy" },
  stopped: { label: "Stopped", tone: "warn" },
  finished: { label: "Finished", tone: "good" },
};

function Found({ bulk }: { readonly bulk: BulkActionView }) {
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => api.stopBulk(bulk.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["bulk-action", bulk.id] }),
  });
  const done = bulk.rows.filter(({ outcome }) => outcome !== null).length;
  const taken = bulk.rows.filter(({ outcome }) => outcome === "accepted").length;
  const { label, tone } = stateWords[bulk.state];
  return (
    <>
      <div className="page-head">
        <div className="case-title">
          <h1>{actionWords[bulk.command.action].title}</h1>
          <span className={`badge tone-${tone}`}>{label}</span>
        </div>
        {bulk.state === "running" ? (
          <Button className="danger-filled" loading={stop.isPending} onClick={() => stop.mutate()}>
            Stop
          </Button>
        ) : null}
      </div>
      <p className="quiet">
        {describeActor(bulk.askedBy)} asked for it, <When at={bulk.askedAt} long />
      </p>
      {bulk.command.note === undefined ? null : <blockquote className="note">{bulk.command.note}</blockquote>}
      {stop.isError ? <ErrorNotice problem={stop.error} title="It was not stopped" /> : null}
      <section className="panel spaced" aria-label="Progress">
        <Progress.Root size="lg">
          <Progress.Section
            value={bulk.rows.length === 0 ? 100 : (100 * done) / bulk.rows.length}
            aria-label="Cases done"
          />
        </Progress.Root>
        <p role="status">
          {done} of {bulk.rows.length} done: {taken} taken on, {done - taken} not
          {bulk.state === "stopped" ? `; the other ${bulk.rows.length - done} were left as they are` : ""}.
        </p>
      </section>
      <div className="table-box">
        <table className="cases">
          <caption>
            <VisuallyHidden>What became of each case</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Outcome</th>
              <th scope="col">Why</th>
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

const outcomeWords: Readonly<Record<NonNullable<BulkActionRow["outcome"]>, readonly [string, Tone]>> = {
  accepted: ["Taken on", "good"],
  conflict: ["Had moved", "warn"],
  refused: ["Not possible", "bad"],
  "not-found": ["Not found", "bad"],
};

function Outcome({ row, isRunning }: { readonly row: BulkActionRow; readonly isRunning: boolean }) {
  const [label, tone] =
    row.outcome === null ? ([isRunning ? "Waits" : "Left as it was", "plain"] as const) : outcomeWords[row.outcome];
  return <span className={`badge tone-${tone}`}>{label}</span>;
}
