import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { defaultLanesText, recipientDefaults } from "../../../sender/recipient-defaults.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { CopyButton } from "../components/copyable.tsx";
import { Pair } from "../components/pair.tsx";
import { Panel } from "../components/panel.tsx";
import { useNow, When } from "../components/when.tsx";
import type { Words } from "../labels/state-words.ts";
import { refreshMs } from "./all-recipients.ts";
import { ToneBadge } from "./badge.tsx";
import { isOfEvents, type Recipient } from "./delivery-api.ts";
import { useDeliverySide } from "./delivery-side.ts";
import { authorizationWords, describeScope } from "./delivery-words.ts";
import { PauseDialog, RemoveDialog, useRecipientChange } from "./recipient-dialogs.tsx";
import { RecipientForm } from "./recipient-form.tsx";
import { currentHold, describeHealth } from "./recipient-health.ts";
import { HealthText } from "./recipient-health-text.tsx";
import { TestButton, TestResponse, useTestDelivery } from "./test-delivery.tsx";

type Dialog = "edit" | "pause" | "remove" | null;

export function RecipientPage({ id }: { readonly id: string }) {
  const { client, headings, paths } = useDeliverySide();
  const recipient = client.useRead("GET /recipients/{id}", { params: { id } }, { refetchInterval: refreshMs });
  return (
    <>
      <Link href={paths.recipients} className="back">
        ← {headings.recipients}
      </Link>
      {recipient.isPending ? <Loading label="Loading" /> : null}
      {recipient.isError ? <ErrorCallout problem={recipient.error} onRetry={() => void recipient.refetch()} /> : null}
      {recipient.data === undefined ? null : <RecipientDetails recipient={recipient.data} />}
    </>
  );
}

function RecipientDetails({ recipient }: { readonly recipient: Recipient }) {
  const { brand, mayChange, RecipientPanel } = useDeliverySide();
  const [dialog, setDialog] = useState<Dialog>(null);
  const [message, setMessage] = useState<string | null>(null);
  const now = useNow(1_000);
  const health = describeHealth(recipient, now);
  const change = useRecipientChange(recipient.id);
  const test = useTestDelivery(recipient.id);
  const close = (): void => setDialog(null);
  return (
    <>
      <title>{`${recipient.name} · ${brand}`}</title>
      <div className="page-head">
        <div className="case-title">
          <h1>{recipient.name}</h1>
          <ToneBadge {...health} />
        </div>
        {mayChange ? (
          <div className="head-actions">
            <TestButton test={test} />
            {recipient.state === "active" ? (
              <Button variant="default" onClick={() => setDialog("pause")}>
                Pause …
              </Button>
            ) : (
              <Button loading={change.isPending} onClick={() => change.mutate({ state: "active" })}>
                Resume
              </Button>
            )}
            <Button variant="default" onClick={() => setDialog("edit")}>
              Edit
            </Button>
            <Button variant="default" className="danger" onClick={() => setDialog("remove")}>
              Remove …
            </Button>
          </div>
        ) : null}
      </div>
      {message === null ? null : <Callout tone="good" title={message} onClose={() => setMessage(null)} />}
      {change.isError ? <ErrorCallout problem={change.error} title="The recipient was not resumed" /> : null}
      <TestResponse test={test} />
      <div className="sections">
        <HealthPanel recipient={recipient} health={health} now={now} />
        <SettingsPanel recipient={recipient} />
        {RecipientPanel === undefined ? null : <RecipientPanel recipient={recipient} onDone={setMessage} />}
      </div>
      {dialog === "edit" ? (
        <RecipientForm recipient={recipient} onClose={close} onDone={() => setMessage("Saved")} />
      ) : null}
      {dialog === "pause" ? <PauseDialog recipient={recipient} onClose={close} /> : null}
      {dialog === "remove" ? <RemoveDialog recipient={recipient} onClose={close} /> : null}
    </>
  );
}

interface HealthPanelProps {
  readonly recipient: Recipient;
  readonly health: Words;
  readonly now: Date;
}

function HealthPanel({ recipient, health, now }: HealthPanelProps) {
  const { failing, trouble, state } = recipient;
  const hold = currentHold(recipient, now);
  const { paths } = useDeliverySide();
  return (
    <Panel title="Health">
      <HealthText recipient={recipient} health={health} />
      <dl className="pairs">
        {state === "active" ? null : (
          <Pair term={state === "paused" ? "Paused since" : "Disabled since"}>
            <When at={recipient.stateChangedAt} />
          </Pair>
        )}
        {failing === null ? null : (
          <Pair term="Failing since">
            <When at={failing.since} /> ({failing.failedInRow} in a row)
          </Pair>
        )}
        {hold === null ? null : (
          <Pair term="Next attempt after">
            <When at={hold.until} />
          </Pair>
        )}
        {trouble === null ? null : (
          <Pair term="Last error">
            {trouble.message} <code className="quiet">{trouble.code}</code>, <When at={trouble.at} />
          </Pair>
        )}
        <Pair term="Pending">{counted(recipient.pendingDeliveries, "delivery", "deliveries")}</Pair>
      </dl>
      <p>
        <Link href={`${paths.deliveries}?recipient=${recipient.id}`}>All deliveries</Link> ·{" "}
        <Link href={`${paths.deliveries}?recipient=${recipient.id}&state=dead`}>Dead deliveries</Link>
      </p>
    </Panel>
  );
}

function SettingsPanel({ recipient }: { readonly recipient: Recipient }) {
  const { signingSecrets, deadlineMs, lanesMax, ratePerSecond } = recipient;
  return (
    <Panel title="Settings">
      <dl className="pairs">
        <Pair term="URL">
          <span className="code">{recipient.url}</span>
          <CopyButton value={recipient.url} what="URL" />
        </Pair>
        <Pair term="Authorization">{authorizationWords[recipient.authorization.type]}</Pair>
        <Pair term="Signing secrets">{signingSecrets === 0 ? "none: not signed" : signingSecrets}</Pair>
        <Pair term="Client certificate">
          {recipient.clientCertificate === null ? (
            "none"
          ) : (
            <>
              valid until <When at={recipient.clientCertificate.expiresAt} long />
            </>
          )}
        </Pair>
        <RulePairs recipient={recipient} />
        <Pair term="Attempt timeout">
          {(deadlineMs ?? recipientDefaults.deadlineMs) / 1_000} s{deadlineMs === null ? " (default)" : ""}
        </Pair>
        <Pair term="Orders in parallel">{lanesMax ?? `${defaultLanesText} (default)`}</Pair>
        <Pair term="Deliveries per second">{ratePerSecond ?? "no limit"}</Pair>
        <Pair term="ID">
          <span className="code id">{recipient.id}</span>
          <CopyButton value={recipient.id} what="id" />
        </Pair>
        <Pair term="Added">
          <When at={recipient.createdAt} long />
        </Pair>
      </dl>
    </Panel>
  );
}

function RulePairs({ recipient }: { readonly recipient: Recipient }) {
  if (isOfEvents(recipient)) {
    return (
      <>
        <Pair term="Events">{describeScope(recipient)}</Pair>
        <Pair term="Sources">{recipient.sources === null ? "All sources" : recipient.sources.join(", ")}</Pair>
      </>
    );
  }
  const { ordering, acknowledgement, agencyId } = recipient;
  return (
    <>
      <Pair term="Airlines">{describeScope(recipient)}</Pair>
      <Pair term="Ordering">
        {ordering === "latest" ? "latest notification of an order only" : "every notification, in order"}
      </Pair>
      <Pair term="Acknowledged by">
        {acknowledgement === "required" ? "an AcknowledgeResponse with OK" : "any 2xx response"}
      </Pair>
      {agencyId === null ? null : <Pair term="Agency">{agencyId}</Pair>}
    </>
  );
}
