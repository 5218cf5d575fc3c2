import { Button, Progress } from "@mantine/core";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { formatMoney } from "../../../travel/money.ts";
import { useChange, useRead } from "../api/hooks.ts";
import type { BulkActionRow, BulkActionView } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import "./bulk-action-page.css";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { ExportCsv } from "../components/export-csv.tsx";
import { BackIcon } from "../components/icons.tsx";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import {
  bulkStateWords,
  describeBulkCommand,
  type GatewayOutcomeName,
  gatewayWords,
  outcomeWords,
  queuedWords,
} from "./bulk-words.ts";

const progressMs = 1_000;
const unknownMs = 15_000;

/** The bulk action continues when this page is left. */
export function BulkActionPage({ id }: { readonly id: string }) {
  const bulk = useRead(
    "GET /bulk-actions/{id}",
    { params: { id } },
    { refetchInterval: ({ state }) => intervalOf(state.data) },
  );
  return (
    <>
      <Link href="/bulk-actions" className="back">
        <BackIcon /> Bulk actions
      </Link>
      {bulk.isPending ? <Loading label="Loading" /> : null}
      {bulk.isError ? <ErrorCallout problem={bulk.error} onRetry={() => void bulk.refetch()} /> : null}
      {bulk.data === undefined ? null : <BulkActionDetails bulk={bulk.data} />}
    </>
  );
}

/** Slower while only an unknown outcome is left, which may take hours. */
function intervalOf(bulk: BulkActionView | undefined): number | false {
  if (bulk === undefined) return false;
  const { waiting = 0, sent = 0, unknown = 0 } = bulk.gatewayCounts ?? {};
  if (bulk.state === "running" || waiting + sent > 0) return progressMs;
  return unknown > 0 ? unknownMs : false;
}

function BulkActionDetails({ bulk }: { readonly bulk: BulkActionView }) {
  const mayStop = useMay("actOnManyCases");
  const stop = useChange("POST /bulk-actions/{id}/stop");
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
        <ExportCsv list={`/bulk-actions/${bulk.id}/rows.csv`} />
        {bulk.state === "running" && mayStop ? (
          <Button
            className="danger-filled"
            loading={stop.isPending}
            onClick={() => stop.mutate({ params: { id: bulk.id } })}
          >
            Stop
          </Button>
        ) : null}
      </div>
      <p className="quiet">
        Started by {describeActor(bulk.askedBy, bulk.token)}, <When at={bulk.askedAt} />
      </p>
      {bulk.command.note === null ? null : <blockquote className="note">{bulk.command.note}</blockquote>}
      {stop.isError ? <ErrorCallout problem={stop.error} title="The bulk action was not stopped" /> : null}
      <section className="panel spaced" aria-label="Progress">
        <Progress.Root size="lg">
          <Progress.Section
            value={bulk.rows.length === 0 ? 100 : (100 * done) / bulk.rows.length}
            aria-label="Cases done"
          />
        </Progress.Root>
        <p role="status">
          {accepted} of {bulk.rows.length} {bulk.gatewayCounts === null ? "done" : "queued"}; {done - accepted} skipped
          {describeRest(bulk.state, bulk.rows.length - done)}
        </p>
        <GatewayCounts counts={bulk.gatewayCounts} />
        <Refunds refunds={bulk.refunds} />
      </section>
      <DataTable
        caption="Outcome for each case"
        look="list"
        items={bulk.rows}
        keyOf={({ caseId }) => caseId}
        columns={[
          {
            title: "Order",
            cell: ({ caseId, orderId }) => (
              <Link href={`/cases/${caseId}`} className="order">
                {orderId ?? "unknown order"}
              </Link>
            ),
          },
          {
            title: "Outcome",
            label: null,
            cell: (row) => (
              <Outcome row={row} isRunning={bulk.state === "running"} isQueued={bulk.gatewayCounts !== null} />
            ),
          },
          bulk.gatewayCounts === null
            ? null
            : {
                title: "At the gateway",
                label: ({ gateway }) => (gateway === null ? null : "Gateway"),
                cell: (row) => <GatewayOutcome row={row} />,
              },
          { title: "Reason", label: null, cell: ({ gateway, message }) => gateway?.message ?? message },
        ]}
      />
    </>
  );
}

function describeRest(state: BulkActionView["state"], rest: number): string {
  if (rest === 0) return "";
  return state === "stopped" ? `; the other ${rest} were not changed` : `; ${rest} to go`;
}

function GatewayCounts({ counts }: { readonly counts: BulkActionView["gatewayCounts"] }) {
  if (counts === null) return null;
  const { notSent, ...others } = counts;
  const shown = Object.entries({ ...others, "not-sent": notSent } as Record<GatewayOutcomeName, number>).filter(
    ([, count]) => count > 0,
  ) as [GatewayOutcomeName, number][];
  return (
    <ul className="bulk-counts" aria-label="At the gateway">
      {shown.map(([name, count]) => (
        <li key={name}>
          <strong>{count.toLocaleString("en")}</strong>{" "}
          <span className={`badge tone-${gatewayWords[name].tone}`}>{gatewayWords[name].label}</span>
        </li>
      ))}
    </ul>
  );
}

/** The gateway states amounts without a currency. */
function Refunds({ refunds }: Pick<BulkActionView, "refunds">) {
  if (refunds.length === 0) return null;
  return (
    <dl className="pairs">
      {refunds.map(({ currency, orders, unstated, stated, expected }) => (
        <div key={currency}>
          <dt>{currency === null ? "Refunds in an unknown currency" : "Refunds stated"}</dt>
          <dd>
            <strong>
              {currency === null ? "not added up" : stated === null ? "none" : formatMoney(stated, currency)}
            </strong>
            <div className="quiet">
              {counted(orders, "order")}
              {expected === null ? "" : `, ${formatMoney(expected, currency)} expected`}
              {unstated === 0 ? "" : `, ${unstated} without an amount`}
            </div>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function GatewayOutcome({ row: { gateway } }: { readonly row: BulkActionRow }) {
  if (gateway === null) return null;
  const { label, tone } = gatewayWords[gateway.outcome];
  const { stated = null, expected = null } = gateway.refund ?? {};
  return (
    <>
      <span className={`badge tone-${tone}`}>{label}</span>
      {gateway.refund === null ? null : (
        <div className="quiet">
          refund {stated === null ? "not stated" : formatMoney(stated, expected?.currency ?? null)}
        </div>
      )}
    </>
  );
}

interface OutcomeProps {
  readonly row: BulkActionRow;
  readonly isRunning: boolean;
  /** The action only leads to a call of the gateway. */
  readonly isQueued: boolean;
}

function Outcome({ row, isRunning, isQueued }: OutcomeProps) {
  const { label, tone } =
    row.outcome === null
      ? ({ label: isRunning ? "Waiting" : "Not changed", tone: "plain" } as const)
      : row.outcome === "accepted" && isQueued
        ? queuedWords(row.code)
        : outcomeWords[row.outcome];
  return <span className={`badge tone-${tone}`}>{label}</span>;
}
