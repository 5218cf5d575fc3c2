import { Button } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { caseActions } from "../../../cases/case-actions.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { useChange, useList } from "../api/hooks.ts";
import type { BlockedOrder } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { finishedStates } from "../case/possible-actions.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { ExportCsv } from "../components/export-csv.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SourceSelect } from "../components/source-select.tsx";
import { useNow, When } from "../components/when.tsx";
import { formatDue, formatDuration } from "../labels/moments.ts";

const refreshMs = 10_000;

export function BlockedPage() {
  const [params, setParams] = useSearchParams();
  const source = params.get("source") ?? "";
  const orders = useList(
    "GET /blocked-orders",
    { query: { state: "blocked", source } },
    { refetchInterval: refreshMs },
  );
  return (
    <>
      <div className="page-head">
        <h1>Blocked orders</h1>
        <p className="quiet">A blocked order does not delay other orders.</p>
        <ExportCsv list="/blocked-orders.csv" query={{ source }} />
      </div>
      <div className="filters">
        <SourceSelect
          sources={orders.data?.pages.flatMap(({ items }) => items.map((order) => order.source)) ?? []}
          value={source}
          onChange={(chosen) => setParams(chosen === "" ? {} : { source: chosen }, { replace: true })}
        />
      </div>
      <PagedList
        list={orders}
        empty={{
          title: source === "" ? "No order is blocked" : `No order of source ${source} is blocked`,
          text: "An order appears here when processing keeps failing or takes too long, or when the outcome of a call is unknown.",
        }}
      >
        {(items) => <BlockedTable items={items} />}
      </PagedList>
    </>
  );
}

const reasonTitles: Readonly<Record<BlockedOrder["reason"]["code"], string>> = {
  "effect-unknown": "Outcome unknown",
  "lease-held": "Processing takes too long",
  failing: "Keeps failing",
  "not-picked-up": "Not picked up by a worker",
};

function BlockedTable({ items }: { readonly items: readonly BlockedOrder[] }) {
  const now = useNow();
  return (
    <DataTable
      caption="Blocked orders"
      look="list"
      items={items}
      keyOf={({ caseId }) => caseId}
      columns={[
        {
          title: "Order",
          cell: ({ caseId, orderId, source }) => (
            <>
              <Link href={`/cases/${caseId}`} className="order">
                {orderId}
              </Link>
              <div className="quiet">{source}</div>
            </>
          ),
        },
        {
          title: "Reason and next step",
          label: null,
          className: "why",
          cell: ({ reason }) => (
            <>
              <strong>{reasonTitles[reason.code]}</strong>
              <div>{reason.text}</div>
              {reason.code === "failing" ? (
                <div className="quiet">
                  Retried automatically. If several orders fail in the same way, check the gateway.
                </div>
              ) : null}
            </>
          ),
        },
        {
          title: "Blocked for",
          className: "waits",
          cell: ({ since }) => (
            <>
              {formatDuration((now.getTime() - new Date(since).getTime()) / 1_000)}
              <div className="quiet">
                since <When at={since} />
              </div>
            </>
          ),
        },
        {
          title: "Failed attempts",
          cell: ({ failures }) => (failures === 0 ? <span className="quiet">–</span> : failures),
        },
        {
          title: "Next attempt",
          className: "waits",
          cell: ({ nextTryAt }) =>
            nextTryAt === null ? (
              <span className="quiet">waits for an agent</span>
            ) : (
              formatDue(new Date(nextTryAt), now)
            ),
        },
        {
          title: "Worker",
          cell: ({ leasedBy, leasedUntil }) =>
            leasedBy === null || leasedUntil === null ? (
              <span className="quiet">none</span>
            ) : (
              <>
                <code>{leasedBy}</code>
                <div className="quiet">
                  until <When at={leasedUntil} />
                </div>
              </>
            ),
        },
        {
          title: "Actions",
          isTitleHidden: true,
          label: null,
          className: "waits",
          cell: (order) => <NextStep order={order} />,
        },
      ]}
    />
  );
}

/** Only a failing order of an open case can be retried here. Everything else is handled on the page of the case. */
function NextStep({ order }: { readonly order: BlockedOrder }) {
  const { user } = useSession();
  const mayRecheck = isRoleAtLeast(user.role, caseActions.recheck.role);
  if (order.reason.code === "failing" && mayRecheck && !finishedStates.includes(order.caseState))
    return <RetryButton order={order} />;
  return <Link href={`/cases/${order.caseId}`}>Open case</Link>;
}

function RetryButton({ order }: { readonly order: BlockedOrder }) {
  const recheck = useChange("POST /cases/{id}/actions");
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Retry now: ${order.orderId}`}
        loading={recheck.isPending}
        // Without a version: a re-check is right whatever has happened to the case meanwhile.
        onClick={() => recheck.mutate({ params: { id: order.caseId }, body: { action: "recheck" } })}
      >
        Retry now
      </Button>
      <div className="quiet" role="status">
        {recheck.isSuccess ? "requested" : null}
      </div>
      {recheck.isError ? <ErrorCallout problem={recheck.error} title="The retry was not requested" /> : null}
    </>
  );
}
