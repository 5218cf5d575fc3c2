import { Button } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { KeysButton } from "../commands/command-button.tsx";
import { DataTable } from "../components/data-table.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { useNow } from "../components/when.tsx";
import { refreshMs } from "./all-recipients.ts";
import { ToneBadge } from "./badge.tsx";
import type { Recipient } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { authorizationWords, describeScope } from "./delivery-words.ts";
import { useListKeys } from "./list-keys.ts";
import { RecipientForm } from "./recipient-form.tsx";
import { describeHealth } from "./recipient-health.ts";
import { HealthText } from "./recipient-health-text.tsx";

export function RecipientsPage() {
  const { client, brand, headings, words, paths, mayChange, RecipientsCallout } = useDeliverySide();
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
      <PagedList<Recipient>
        list={recipients}
        empty={{ title: "No recipients yet", text: words.noRecipients(mayChange) }}
      >
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

function RecipientTable({ items }: { readonly items: readonly Recipient[] }) {
  const now = useNow(1_000);
  const { words, paths } = useDeliverySide();
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
        { title: "Details", label: null, className: "doing", cell: (row) => <HealthText {...row} /> },
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
        { title: words.scope, cell: ({ recipient }) => <span>{describeScope(recipient)}</span> },
        {
          title: "Authorization",
          cell: ({ recipient }) => <span>{authorizationWords[recipient.authorization.type]}</span>,
        },
      ]}
    />
  );
}
