import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useNow, When } from "../components/when.tsx";
import { type RecipientsById, refreshMs } from "./all-recipients.ts";
import { ToneBadge } from "./badge.tsx";
import type { Delivery, DeliveryState } from "./delivery-api.ts";
import { groupDeliveries } from "./delivery-groups.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { deliveryStateWords, describeContent, describeLastResponse, isRecipientRemoved } from "./delivery-words.ts";
import { NextAttempt } from "./next-attempt.tsx";
import { ResendButton, ResendResult, useResend } from "./resend.tsx";

interface DeliveryTableProps {
  readonly items: readonly Delivery[];
  readonly recipients: RecipientsById;
  readonly caption: string;
  /** Whether a notification to several recipients is one row, which opens. */
  readonly isGrouped?: boolean;
}

export function DeliveryTable({ items, recipients, caption, isGrouped = false }: DeliveryTableProps) {
  const resend = useResend();
  const now = useNow(refreshMs);
  const groups = isGrouped ? groupDeliveries(items) : items.map((each) => ({ key: each.id, deliveries: [each] }));
  const row = (delivery: Delivery, isInside = false) => (
    <DeliveryRow
      key={delivery.id}
      delivery={delivery}
      recipients={recipients}
      now={now}
      isInside={isInside}
      action={<ResendButton delivery={delivery} resend={resend} />}
    />
  );
  return (
    <>
      <ResendResult resend={resend} />
      <div className="table-box">
        <table className="list cards deliveries">
          <caption>
            <VisuallyHidden>{caption}</VisuallyHidden>
          </caption>
          <thead>
            <tr>
              <th scope="col">Order</th>
              <th scope="col">Recipient</th>
              <th scope="col">State</th>
              <th scope="col" className="number">
                Attempts
              </th>
              <th scope="col">Last response</th>
              <th scope="col">Announced</th>
              <th scope="col">Next attempt or end</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {groups.flatMap(({ key, deliveries }) =>
              deliveries.length === 1
                ? deliveries.map((delivery) => row(delivery))
                : [
                    <GroupRows key={key} deliveries={deliveries}>
                      {deliveries.map((delivery) => row(delivery, true))}
                    </GroupRows>,
                  ],
            )}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface GroupRowsProps {
  readonly deliveries: readonly Delivery[];
  /** The row of each. */
  readonly children: ReactNode;
}

/** Open at first if a recipient did not get it, and otherwise on demand. */
function GroupRows({ deliveries, children }: GroupRowsProps) {
  const [isOpen, setIsOpen] = useState(() => deliveries.some(({ state }) => state === "dead"));
  const [first] = deliveries;
  if (first === undefined) return null;
  const states = (Object.keys(deliveryStateWords) as DeliveryState[]).flatMap((state) => {
    const count = deliveries.filter((delivery) => delivery.state === state).length;
    return count === 0 ? [] : [{ state, count }];
  });
  return (
    <>
      <tr className="group">
        <th scope="row">
          <UnstyledButton className="order" data-row aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <span aria-hidden="true">{isOpen ? "▾" : "▸"} </span>
            {first.orderId}
          </UnstyledButton>
          <div className="quiet">{describeContent(first)}</div>
        </th>
        <td data-label="Recipients">
          <span>{deliveries.length} recipients</span>
        </td>
        <td>
          <div className="states">
            {states.map(({ state, count }) => {
              const words = deliveryStateWords[state];
              return <ToneBadge key={state} {...words} label={`${count} ${words.label.toLowerCase()}`} />;
            })}
          </div>
        </td>
        <td className="number" data-label="Attempts">
          <span>{deliveries.reduce((sum, { attempts }) => sum + attempts, 0)}</span>
        </td>
        <OfEach />
        <td data-label="Announced">
          <When at={first.createdAt} />
        </td>
        <OfEach />
        <OfEach />
      </tr>
      {isOpen ? children : null}
    </>
  );
}

/** A column that only the rows of the group fill. */
function OfEach() {
  return (
    <td className="of-each">
      <VisuallyHidden>see each recipient</VisuallyHidden>
    </td>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly recipients: RecipientsById;
  readonly now: Date;
  /** Whether the row belongs to a group that stands above it. */
  readonly isInside: boolean;
  readonly action: ReactNode;
}

function DeliveryRow({ delivery, recipients, now, isInside, action }: DeliveryRowProps) {
  const { paths } = useDeliverySide();
  return (
    <tr className={isInside ? "inside" : undefined}>
      <th scope="row">
        <Link href={`${paths.deliveries}/${delivery.id}`} className="order" data-row>
          {delivery.orderId}
        </Link>
        {isInside ? null : (
          <div className="quiet">
            {describeContent(delivery)}
            {delivery.replayOf === null ? "" : " · sent again"}
          </div>
        )}
      </th>
      <td data-label="Recipient">
        <RecipientLink delivery={delivery} recipients={recipients} />
      </td>
      <td>
        <ToneBadge {...deliveryStateWords[delivery.state]} />
        {delivery.deadReason === null ? null : <p className="doing quiet">{delivery.deadReason.message}</p>}
        {delivery.resentAs === null ? null : (
          <p className="doing quiet">
            Sent again as <Link href={`${paths.deliveries}/${delivery.resentAs}`}>another delivery</Link>
          </p>
        )}
        {delivery.supersededBy === null ? null : (
          <p className="doing quiet">
            Replaced by a <Link href={`${paths.deliveries}/${delivery.supersededBy}`}>newer notification</Link>
          </p>
        )}
      </td>
      <td className="number" data-label="Attempts">
        <span>{delivery.attempts}</span>
      </td>
      <td data-label="Last response">
        <span>{describeLastResponse(delivery)}</span>
      </td>
      <td data-label="Announced">
        <When at={delivery.createdAt} />
      </td>
      <td data-label={delivery.finishedAt === null ? "Next attempt" : "Ended"}>
        {delivery.finishedAt === null ? (
          <NextAttempt delivery={delivery} recipient={recipients.get(delivery.recipientId)} now={now} />
        ) : (
          <When at={delivery.finishedAt} />
        )}
      </td>
      <td>{action}</td>
    </tr>
  );
}

interface RecipientLinkProps {
  readonly delivery: Delivery;
  readonly recipients: RecipientsById;
}

export function RecipientLink({ delivery, recipients }: RecipientLinkProps) {
  const { paths } = useDeliverySide();
  const { recipientId } = delivery;
  if (isRecipientRemoved(delivery)) return <span title={recipientId}>Removed recipient</span>;
  return (
    <Link href={`${paths.recipients}/${recipientId}`}>{recipients.get(recipientId)?.name ?? shortId(recipientId)}</Link>
  );
}

/** The end of the id, because the beginning of a UUID of version 7 is its time. */
export function shortId(id: string): string {
  return `…${id.slice(-12)}`;
}
