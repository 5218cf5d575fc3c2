import { Button, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { BlockedOrder } from "../api/answers.ts";
import { api } from "../api/api-client.ts";
import { ErrorNotice, Waiting } from "../parts/notices.tsx";
import { useNow, When } from "../parts/when.tsx";
import { formatDue, formatDuration } from "../words/moments.ts";

const refreshMs = 10_000;

/** Orders that do not get on: each is its own lane, so none of them holds up another. */
export function BlockedPage() {
  const orders = useInfiniteQuery({
    queryKey: ["lanes"],
    queryFn: ({ pageParam }) => api.listBlockedOrders(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const items = orders.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <title>Blocked orders · Skedchange</title>
      <div className="page-head">
        <h1>Blocked orders</h1>
        <p className="quiet">Each order is worked on by itself: none of these holds up another one.</p>
      </div>
      {orders.isError ? <ErrorNotice problem={orders.error} onRetry={() => void orders.refetch()} /> : null}
      {orders.isPending ? <Waiting label="Loading" /> : null}
      {orders.data !== undefined && items.length === 0 ? (
        <div className="empty">
          <h2>No order is blocked</h2>
          <p>
            An order appears here when its work keeps failing, takes far too long, or when the outcome of a call is
            unknown.
          </p>
        </div>
      ) : null}
      {items.length === 0 ? null : <BlockedTable items={items} />}
      {orders.hasNextPage ? (
        <div className="list-foot">
          <Button variant="default" loading={orders.isFetchingNextPage} onClick={() => void orders.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}

function BlockedTable({ items }: { readonly items: readonly BlockedOrder[] }) {
  const now = useNow();
  return (
    <div className="table-box">
      <table className="cases">
        <caption>
          <VisuallyHidden>Blocked orders</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Why</th>
            <th scope="col">For</th>
            <th scope="col">Failed in a row</th>
            <th scope="col">Next try</th>
            <th scope="col">Worked on by</th>
          </tr>
        </thead>
        <tbody>
          {items.map((order) => (
            <tr key={order.caseId}>
              <th scope="row">
                <Link href={`/cases/${order.caseId}`} className="order">
                  {order.orderId}
                </Link>
                <div className="quiet">{order.source}</div>
              </th>
              <td>
                <div>{order.reason.text}</div>
                <code className="quiet">{order.reason.code}</code>
              </td>
              <td className="waits">
                {formatDuration((now.getTime() - new Date(order.since).getTime()) / 1_000)}
                <div className="quiet">
                  since <When at={order.since} />
                </div>
              </td>
              <td>{order.failures}</td>
              <td className="waits">
                {order.nextTryAt === null ? (
                  <span className="quiet">waits for a person</span>
                ) : (
                  formatDue(new Date(order.nextTryAt), now)
                )}
              </td>
              <td>
                {order.leasedBy === null || order.leasedUntil === null ? (
                  <span className="quiet">nobody</span>
                ) : (
                  <>
                    <code>{order.leasedBy}</code>
                    <div className="quiet">
                      until <When at={order.leasedUntil} />
                    </div>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
