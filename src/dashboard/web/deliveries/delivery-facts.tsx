import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { CopyButton } from "../components/copyable.tsx";
import { Pair } from "../components/pair.tsx";
import { RawBodyDialog, type RawBodySource } from "../components/raw-body.tsx";
import { useNow, When } from "../components/when.tsx";
import { type RecipientsById, refreshMs } from "./all-recipients.ts";
import { type Delivery, isOfEvent } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { RecipientLink, shortId } from "./delivery-table.tsx";
import { NextAttempt } from "./next-attempt.tsx";

interface DeliveryFactsProps {
  readonly delivery: Delivery;
  readonly recipients: RecipientsById;
}

export function DeliveryFacts({ delivery, recipients }: DeliveryFactsProps) {
  const now = useNow(refreshMs);
  return (
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
      {delivery.finishedAt === null ? (
        <Pair term="Next attempt">
          <NextAttempt delivery={delivery} recipient={recipients.get(delivery.recipientId)} now={now} />
        </Pair>
      ) : (
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
      <BodyPair delivery={delivery} />
      <Pair term="webhook-id">
        <span className="code id">{delivery.id}</span>
        <CopyButton value={delivery.id} what="webhook-id" />
      </Pair>
    </dl>
  );
}

function LinkTo({ id }: { readonly id: string }) {
  const { paths } = useDeliverySide();
  return <Link href={`${paths.deliveries}/${id}`}>{shortId(id)}</Link>;
}

function BodyPair({ delivery: { id, orderId, bodyBytes, bodyDigest } }: { readonly delivery: Delivery }) {
  const { readBody } = useDeliverySide();
  const [body, setBody] = useState<RawBodySource | null>(null);
  return (
    <Pair term="Body">
      {bodyBytes.toLocaleString("en")} B, SHA-256{" "}
      <span className="code id" title={bodyDigest}>
        {bodyDigest.slice(0, 16)}…
      </span>
      <CopyButton value={bodyDigest} what="digest" />
      {readBody === undefined ? null : (
        <Button
          size="compact-xs"
          variant="default"
          ml="xs"
          onClick={() =>
            setBody({
              title: `Body of ${orderId}`,
              key: ["delivery", id],
              read: () => readBody(id),
              isSent: true,
            })
          }
        >
          Show
        </Button>
      )}
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </Pair>
  );
}
