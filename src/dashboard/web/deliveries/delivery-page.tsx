import { Link } from "wouter";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { Panel } from "../components/panel.tsx";
import { When } from "../components/when.tsx";
import { type RecipientsById, refreshMs, useRecipientsById } from "./all-recipients.ts";
import { adviceFor } from "./attempt-advice.ts";
import { ToneBadge } from "./badge.tsx";
import type { Attempt, Delivery } from "./delivery-api.ts";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { useDeliverySide } from "./delivery-side.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import {
  deliveryStateWords,
  describeOutcome,
  describeRequest,
  describeResponse,
  describeTimings,
} from "./delivery-words.ts";
import { ResendButton, ResendResult, useResend } from "./resend.tsx";

export function DeliveryPage({ id }: { readonly id: string }) {
  const { client, brand, headings, paths } = useDeliverySide();
  const delivery = client.useRead("GET /deliveries/{id}", { params: { id } }, { refetchInterval: refreshMs });
  const recipients = useRecipientsById();
  const title = delivery.data === undefined ? "Delivery" : `Delivery ${delivery.data.orderId}`;
  return (
    <>
      <title>{`${title} · ${brand}`}</title>
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
            <OtherDeliveries delivery={delivery.data} recipients={recipients} />
          </div>
        </>
      )}
    </>
  );
}

interface DeliveryProps {
  readonly delivery: Delivery;
  readonly recipients: RecipientsById;
}

function DeliveryHead({ delivery, recipients }: DeliveryProps) {
  const resend = useResend();
  const { paths } = useDeliverySide();
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
        <DeliveryFacts delivery={delivery} recipients={recipients} />
      </section>
    </>
  );
}

/** So many are read at once. */
const deliveriesMax = 50;

/** They show whether a newer notification was sent. */
function OtherDeliveries({ delivery: { id, orderId }, recipients }: DeliveryProps) {
  const { client, paths } = useDeliverySide();
  const query = { orderId, limit: deliveriesMax };
  const ofOrder = client.useRead("GET /deliveries", { query }, { refetchInterval: refreshMs });
  const others = ofOrder.data?.items.filter((each) => each.id !== id) ?? [];
  if (others.length === 0 && !ofOrder.isError) return null;
  return (
    <section aria-label="Other deliveries of this order">
      <h2>Other deliveries of this order</h2>
      {ofOrder.isError ? <ErrorCallout problem={ofOrder.error} onRetry={() => void ofOrder.refetch()} /> : null}
      {others.length === 0 ? null : (
        <DeliveryTable items={others} recipients={recipients} caption="Other deliveries of this order" />
      )}
      {ofOrder.data?.nextCursor == null ? null : (
        <p className="quiet">
          Only the newest are shown.{" "}
          <Link href={`${paths.deliveries}?order=${encodeURIComponent(orderId)}`}>All deliveries of this order</Link>
        </p>
      )}
    </section>
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
    <Panel title="Attempts">
      {attempts.isPending ? <Loading label="Loading" /> : null}
      {attempts.isError ? <ErrorCallout problem={attempts.error} onRetry={() => void attempts.refetch()} /> : null}
      {attempts.data?.items.length === 0 ? <p className="quiet">No attempts yet.</p> : null}
      <ol className="attempts">
        {attempts.data?.items.map((attempt) => (
          <AttemptItem key={attempt.id} attempt={attempt} deliveryId={deliveryId} />
        ))}
      </ol>
    </Panel>
  );
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
