import { Button, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ErrorNotice, Loading, Notice } from "../parts/notices.tsx";
import { useNow, When } from "../parts/when.tsx";
import { adviceFor } from "./attempt-advice.ts";
import { ToneBadge } from "./badge.tsx";
import { authorizationWords, describeHealth, type Words } from "./delivery-words.ts";
import { gatewayApi, type Recipient } from "./gateway-api.ts";
import { RecipientForm } from "./recipient-form.tsx";

/** The gateway has no event stream, so its pages poll. */
export const refreshMs = 5_000;

export function RecipientsPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [, navigate] = useLocation();
  const recipients = useInfiniteQuery({
    queryKey: ["recipients"],
    queryFn: ({ pageParam }) => gatewayApi.listRecipients(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: refreshMs,
  });
  const items = recipients.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <title>Recipients · Skedchange gateway</title>
      <div className="page-head">
        <h1>Recipients</h1>
        <Button onClick={() => setIsAdding(true)}>Add a recipient</Button>
      </div>
      <MissedNotice />
      {recipients.isError ? <ErrorNotice problem={recipients.error} onRetry={() => void recipients.refetch()} /> : null}
      {recipients.isPending ? <Loading label="Loading" /> : null}
      {recipients.data !== undefined && items.length === 0 ? (
        <div className="empty">
          <h2>No recipients yet</h2>
          <p>Add a recipient. Notifications it missed can be sent to it afterwards.</p>
        </div>
      ) : null}
      {items.length === 0 ? null : <RecipientTable items={items} />}
      {recipients.hasNextPage ? (
        <div className="list-foot">
          <Button
            variant="default"
            loading={recipients.isFetchingNextPage}
            onClick={() => void recipients.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      ) : null}
      {isAdding ? (
        <RecipientForm
          recipient={null}
          onClose={() => setIsAdding(false)}
          onDone={({ id }) => navigate(`/recipients/${id}`)}
        />
      ) : null}
    </>
  );
}

function MissedNotice() {
  const missed = useQuery({ queryKey: ["missed"], queryFn: gatewayApi.readMissed, refetchInterval: refreshMs });
  if (missed.data === undefined || missed.data.count === 0) return null;
  const { count, oldestAt } = missed.data;
  return (
    <Notice tone="warn" title={`${count} missed ${count === 1 ? "notification" : "notifications"}`}>
      There was no recipient for {count === 1 ? "it" : "them"}
      {oldestAt === null ? null : (
        <>
          {" "}
          since <When at={oldestAt} />
        </>
      )}
      . Open a recipient to send what it missed.
    </Notice>
  );
}

/** What goes wrong in plain words, and what to do; the technical message is in the tooltip. */
export function Reason({ recipient: { trouble }, health }: { readonly recipient: Recipient; readonly health: Words }) {
  const advice = trouble === null ? null : adviceFor(trouble.code);
  const what = advice?.what ?? trouble?.message;
  return (
    <div className="advice">
      <p>{health.meaning}</p>
      {trouble === null || advice === null ? null : (
        <>
          {what === health.meaning ? null : <p title={trouble.message}>{what}</p>}
          <p className="quiet">{advice.todo}</p>
        </>
      )}
    </div>
  );
}

function RecipientTable({ items }: { readonly items: readonly Recipient[] }) {
  const now = useNow(1_000);
  return (
    <div className="table-box">
      <table className="cases cards">
        <caption>
          <VisuallyHidden>Recipients</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Recipient</th>
            <th scope="col">Health</th>
            <th scope="col">Details</th>
            <th scope="col" className="number">
              Pending
            </th>
            <th scope="col">Airlines</th>
            <th scope="col">Authorization</th>
          </tr>
        </thead>
        <tbody>
          {items.map((recipient) => {
            const health = describeHealth(recipient, now);
            return (
              <tr key={recipient.id}>
                <th scope="row">
                  <Link href={`/recipients/${recipient.id}`} className="order">
                    {recipient.name}
                  </Link>
                  <div className="url">{recipient.url}</div>
                </th>
                <td>
                  <ToneBadge {...health} />
                </td>
                <td className="doing">
                  <Reason recipient={recipient} health={health} />
                </td>
                <td className="number" data-label="Pending">
                  {recipient.pendingDeliveries === 0 ? (
                    <span>0</span>
                  ) : (
                    <Link
                      href={`/deliveries?recipient=${recipient.id}&state=pending`}
                      aria-label={`${recipient.pendingDeliveries} pending for ${recipient.name}`}
                    >
                      {recipient.pendingDeliveries.toLocaleString("en")}
                    </Link>
                  )}
                </td>
                <td data-label="Airlines">
                  <span>{recipient.airlines === null ? "All airlines" : recipient.airlines.join(", ")}</span>
                </td>
                <td data-label="Authorization">
                  <span>{authorizationWords[recipient.authorization.type]}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
