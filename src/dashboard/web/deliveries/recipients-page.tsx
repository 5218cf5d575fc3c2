import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { KeysButton } from "../commands/command-button.tsx";
import { PagedList } from "../parts/paged-list.tsx";
import { useNow } from "../parts/when.tsx";
import { refreshMs } from "./all-recipients.ts";
import { adviceFor } from "./attempt-advice.ts";
import { ToneBadge } from "./badge.tsx";
import type { Recipient } from "./delivery-api.ts";
import { type DeliverySide, useDeliverySide } from "./delivery-side.ts";
import { authorizationWords, describeHealth, describeScope, type Words } from "./delivery-words.ts";
import { useListKeys } from "./list-keys.ts";
import { RecipientForm } from "./recipient-form.tsx";

export function RecipientsPage() {
  const { client, sends, brand, headings, paths, mayChange, RecipientsNotice } = useDeliverySide();
  useListKeys();
  const [isAdding, setIsAdding] = useState(false);
  const [, navigate] = useLocation();
  const recipients = client.useList("GET /recipients", { query: { limit: 100 } }, { refetchInterval: refreshMs });
  return (
    <>
      <title>{`${headings.recipients} · ${brand}`}</title>
      <div className="page-head">
        <h1>{headings.recipients}</h1>
        <KeysButton />
        {mayChange ? <Button onClick={() => setIsAdding(true)}>Add a recipient</Button> : null}
      </div>
      {RecipientsNotice === undefined ? null : <RecipientsNotice />}
      <PagedList<Recipient> list={recipients} empty={{ title: "No recipients yet", text: emptyHint(sends, mayChange) }}>
        {(items) => <RecipientTable items={items} />}
      </PagedList>
      {isAdding ? (
        <RecipientForm
          recipient={null}
          onClose={() => setIsAdding(false)}
          onDone={({ id }) => navigate(`${paths.recipients}/${id}`)}
        />
      ) : null}
    </>
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

function emptyHint(sends: DeliverySide["sends"], mayChange: boolean): string {
  if (sends === "notifications") return "Add a recipient. Notifications it missed can be sent to it afterwards.";
  const what =
    "A recipient is a system of yours that is sent signed events about cases, such as a mid-office or a chat.";
  return `${what} ${mayChange ? "It gets what happens after it was added." : "An admin can add one."}`;
}

function RecipientTable({ items }: { readonly items: readonly Recipient[] }) {
  const now = useNow(1_000);
  const { sends, paths } = useDeliverySide();
  const scope = sends === "notifications" ? "Airlines" : "Events";
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
            <th scope="col">{scope}</th>
            <th scope="col">Authorization</th>
          </tr>
        </thead>
        <tbody>
          {items.map((recipient) => {
            const health = describeHealth(recipient, now);
            return (
              <tr key={recipient.id}>
                <th scope="row">
                  <Link href={`${paths.recipients}/${recipient.id}`} className="order" data-row>
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
                      href={`${paths.deliveries}?recipient=${recipient.id}&state=pending`}
                      aria-label={`${recipient.pendingDeliveries} pending for ${recipient.name}`}
                    >
                      {recipient.pendingDeliveries.toLocaleString("en")}
                    </Link>
                  )}
                </td>
                <td data-label={scope}>
                  <span>{describeScope(recipient)}</span>
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
