import { Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { KeysButton } from "../commands/command-button.tsx";
import { DataTable } from "../components/data-table.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { useNow } from "../components/when.tsx";
import type { Words } from "../labels/state-words.ts";
import { refreshMs } from "./all-recipients.ts";
import { adviceFor } from "./attempt-advice.ts";
import { ToneBadge } from "./badge.tsx";
import type { Recipient } from "./delivery-api.ts";
import { type DeliverySide, useDeliverySide } from "./delivery-side.ts";
import { authorizationWords, describeScope } from "./delivery-words.ts";
import { useListKeys } from "./list-keys.ts";
import { RecipientForm } from "./recipient-form.tsx";
import { describeHealth } from "./recipient-health.ts";

export function RecipientsPage() {
  const { client, sends, brand, headings, paths, mayChange, RecipientsCallout } = useDeliverySide();
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
      {RecipientsCallout === undefined ? null : <RecipientsCallout />}
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
    <DataTable
      caption="Recipients"
      look="list"
      items={items.map((recipient) => ({ recipient, health: describeHealth(recipient, now) }))}
      keyOf={({ recipient }) => recipient.id}
      columns={[
        {
          title: "Recipient",
          cell: ({ recipient: { id, name, url } }) => (
            <>
              <Link href={`${paths.recipients}/${id}`} className="order" data-row>
                {name}
              </Link>
              <div className="url">{url}</div>
            </>
          ),
        },
        { title: "Health", label: null, cell: ({ health }) => <ToneBadge {...health} /> },
        { title: "Details", label: null, className: "doing", cell: (row) => <Reason {...row} /> },
        {
          title: "Pending",
          isNumber: true,
          cell: ({ recipient: { id, name, pendingDeliveries } }) =>
            pendingDeliveries === 0 ? (
              <span>0</span>
            ) : (
              <Link
                href={`${paths.deliveries}?recipient=${id}&state=pending`}
                aria-label={`${pendingDeliveries} pending for ${name}`}
              >
                {pendingDeliveries.toLocaleString("en")}
              </Link>
            ),
        },
        { title: scope, cell: ({ recipient }) => <span>{describeScope(recipient)}</span> },
        {
          title: "Authorization",
          cell: ({ recipient }) => <span>{authorizationWords[recipient.authorization.type]}</span>,
        },
      ]}
    />
  );
}
