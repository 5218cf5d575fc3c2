import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { CopyButton } from "../components/copyable.tsx";
import { Pair } from "../components/pair.tsx";
import { RawBodyDialog, type RawBodySource } from "../components/raw-body.tsx";
import { When } from "../components/when.tsx";
import { type RecipientsById, refreshMs, useRecipientsById } from "./all-recipients.ts";
import { adviceFor } from "./attempt-advice.ts";
import { ToneBadge } from "./badge.tsx";
import { type Attempt, type Delivery, isOfEvent } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { DeliveryTable, RecipientLink, shortId } from "./delivery-table.tsx";
import {
  deliveryStateWords,
  describeOutcome,
  describeRequest,
  describeResponse,
  describeTimings,
} from "./delivery-words.ts";
import { ResendButton, ResendResult, useResend } from "./resend.tsx";

/** The other deliveries of the order show whether a newer notification was sent. */
export function DeliveryPage({ id }: { readonly id: string }) {
  const { client, brand, headings, paths } = useDeliverySide();
  const delivery = client.useRead("GET /deliveries/{id}", { params: { id } }, { refetchInterval: refreshMs });
  const orderId = delivery.data?.orderId ?? "";
  const ofOrder = { orderId, limit: 50 };
  const deliveriesOfOrder = client.useRead(
    "GET /deliveries",
    { query: ofOrder },
    { enabled: orderId !== "", refetchInterval: refreshMs },
  );
  const recipients = useRecipientsById();
  const others = deliveriesOfOrder.data?.items.filter((each) => each.id !== id) ?? [];
  return (
    <>
      <title>{`Delivery ${orderId} · ${brand}`}</title>
      <Link href={paths.deliveries} className="back">
        ← {headings.deliveries}
      </Link>
      {delivery.isPending ? <Loading label="Loading" /> : null}
      {delivery.isError ? <ErrorCallout problem={delivery.error} onRetry={() => void delivery.refetch()} /> : null}
      {delivery.data === undefined ? null : (
        <>
          <DeliveryHead delivery={delivery.data} recipients={recipients} />
          <div className="sections">
            <Attempts deliveryId={id} />
            {others.length === 0 ? null : (
              <section aria-label="Other deliveries of this order">
                <h2>Other deliveries of this order</h2>
                <DeliveryTable items={others} recipients={recipients} caption="Other deliveries of this order" />
              </section>
            )}
          </div>
        </>
      )}
    </>
  );
}

function Attempts({ deliveryId }: { readonly deliveryId: string }) {
  const { client } = useDeliverySide();
  const attempts = client.useRead(
    "GET /deliveries/{id}/attempts",
    { params: { id: deliveryId }, query: { limit: 100 } },
    { refetchInterval: refreshMs },
  );
  return (
    <section className="panel" aria-label="Attempts">
      <h2>Attempts</h2>
      {attempts.isPending ? <Loading label="Loading" /> : null}
      {attempts.isError ? <ErrorCallout problem={attempts.error} onRetry={() => void attempts.refetch()} /> : null}
      {attempts.data?.items.length === 0 ? <p className="quiet">No attempts yet.</p> : null}
      <ol className="attempts">
        {attempts.data?.items.map((attempt) => (
          <AttemptItem key={attempt.id} attempt={attempt} deliveryId={deliveryId} />
        ))}
      </ol>
    </section>
  );
}

function DeliveryHead({ delivery, recipients }: { readonly delivery: Delivery; readonly recipients: RecipientsById }) {
  const resend = useResend();
  const { paths, readBody } = useDeliverySide();
  const [body, setBody] = useState<RawBodySource | null>(null);
  const words = deliveryStateWords[delivery.state];
  return (
    <>
      <div className="page-head">
        <div className="case-title">
          <h1>{delivery.orderId}</h1>
          <ToneBadge {...words} />
        </div>
        <ResendButton delivery={delivery} resend={resend} />
      </div>
      <ResendResult resend={resend} />
      <section className="panel delivery" aria-label="Delivery">
        {delivery.supersededBy === null ? (
          <p>{delivery.deadReason?.message ?? words.meaning}</p>
        ) : (
          <p>
            A <Link href={`${paths.deliveries}/${delivery.supersededBy}`}>newer notification</Link> of the order
            replaced it before it was delivered. The recipient gets that one instead.
          </p>
        )}
        <dl className="pairs">
          <Pair term="Recipient">
            <RecipientLink delivery={delivery} recipients={recipients} />
          </Pair>
          {isOfEvent(delivery) ? (
            <>
              <Pair term="Event">{delivery.eventType}</Pair>
              <Pair term="Case">
                <Link href={`/cases/${delivery.caseId}`}>{delivery.orderId}</Link>, source {delivery.source}
              </Pair>
            </>
          ) : (
            <Pair term="Airline">{delivery.airline}</Pair>
          )}
          <Pair term="Announced">
            <When at={delivery.createdAt} long />
          </Pair>
          {delivery.dueAt === null ? null : (
            <Pair term="Due">
              {delivery.waitsFor === null ? <When at={delivery.dueAt} long /> : "after the previous delivery has ended"}
            </Pair>
          )}
          {delivery.finishedAt === null ? null : (
            <Pair term="Ended">
              <When at={delivery.finishedAt} long />
            </Pair>
          )}
          {delivery.resentAs === null ? null : (
            <Pair term="Sent again as">
              <LinkTo id={delivery.resentAs} />
            </Pair>
          )}
          {delivery.replayOf === null ? null : (
            <Pair term="Resend of">
              <LinkTo id={delivery.replayOf} />
            </Pair>
          )}
          <Pair term="Body">
            {delivery.bodyBytes.toLocaleString("en")} B, SHA-256{" "}
            <span className="code id" title={delivery.bodyDigest}>
              {delivery.bodyDigest.slice(0, 16)}…
            </span>
            <CopyButton value={delivery.bodyDigest} what="digest" />
            {readBody === undefined ? null : (
              <Button
                size="compact-xs"
                variant="default"
                ml="xs"
                onClick={() =>
                  setBody({
                    title: `Body of ${delivery.orderId}`,
                    key: ["delivery", delivery.id],
                    read: () => readBody(delivery.id),
                    isSent: true,
                  })
                }
              >
                Show
              </Button>
            )}
          </Pair>
          <Pair term="webhook-id">
            <span className="code id">{delivery.id}</span>
            <CopyButton value={delivery.id} what="webhook-id" />
          </Pair>
        </dl>
      </section>
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </>
  );
}

function LinkTo({ id }: { readonly id: string }) {
  const { paths } = useDeliverySide();
  return <Link href={`${paths.deliveries}/${id}`}>{shortId(id)}</Link>;
}

interface AttemptItemProps {
  readonly attempt: Attempt;
  readonly deliveryId: string;
}

function AttemptItem({ attempt, deliveryId }: AttemptItemProps) {
  const words = describeOutcome(attempt);
  const advice = attempt.errorCode === null ? null : adviceFor(attempt.errorCode);
  return (
    <li>
      <div className="attempt-head">
        <strong>Attempt {attempt.number}</strong>
        <ToneBadge {...words} />
        <When at={attempt.startedAt} />
        {attempt.httpStatus === null ? null : <span>HTTP {attempt.httpStatus}</span>}
        {attempt.errorCode === null ? null : <code className="quiet">{attempt.errorCode}</code>}
      </div>
      <p className="quiet">{describeTimings(attempt)}</p>
      {advice === null ? null : (
        <p>
          {advice.what ?? words.meaning} <span className="quiet">{advice.todo}</span>
        </p>
      )}
      {attempt.errorMessage === null ? null : <p className="quiet">{attempt.errorMessage}</p>}
      {/* Without timings, the recipient was not called. */}
      {attempt.timings === null ? null : <Exchange attempt={attempt} deliveryId={deliveryId} />}
    </li>
  );
}

function Exchange({ attempt, deliveryId }: AttemptItemProps) {
  return (
    <details>
      <summary>Request and response</summary>
      <div className="exchange">
        <div>
          <h3>Request</h3>
          {/* It scrolls, so it must be reachable by keyboard. */}
          <pre className="response" tabIndex={0} aria-label="Request">
            {describeRequest(attempt, deliveryId)}
          </pre>
          <p className="quiet">Credentials and signatures are not stored.</p>
        </div>
        <div>
          <h3>Response</h3>
          <pre className="response" tabIndex={0} aria-label="Response">
            {describeResponse(attempt)}
          </pre>
          {attempt.answerExcerpt === null || attempt.answerExcerpt === "" ? null : (
            <p className="quiet">The beginning of its body. Its headers are not stored.</p>
          )}
        </div>
      </div>
    </details>
  );
}
