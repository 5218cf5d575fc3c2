import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { counted } from "../../../kernel/counted.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { Panel } from "../components/panel.tsx";
import { When } from "../components/when.tsx";
import { refreshMs } from "../deliveries/all-recipients.ts";
import type { RecipientPanelProps } from "../deliveries/delivery-side.ts";
import { parseInstant } from "../labels/moments.ts";
import { gateway } from "./gateway-hooks.ts";

export function MissedCallout() {
  const missed = gateway.useRead("GET /missed", {}, { refetchInterval: refreshMs });
  if (missed.data === undefined || missed.data.count === 0) return null;
  const { count, oldestAt } = missed.data;
  return (
    <Callout tone="warn" title={counted(count, "missed notification")}>
      There was no recipient for {count === 1 ? "it" : "them"}
      {oldestAt === null ? null : (
        <>
          {" "}
          since <When at={oldestAt} />
        </>
      )}
      . Open a recipient to send what it missed.
    </Callout>
  );
}

export function MissedPanel({ recipient, onDone }: RecipientPanelProps) {
  const [since, setSince] = useState("");
  const missed = gateway.useRead("GET /missed", {}, { refetchInterval: refreshMs });
  const send = gateway.useChange("POST /recipients/{id}/missed", ({ deliveries }) =>
    onDone(
      deliveries === 0
        ? "No missed notification since then is for this recipient"
        : `${counted(deliveries, "notification is", "notifications are")} being sent`,
    ),
  );
  const oldestAt = missed.data?.oldestAt ?? null;
  return (
    <Panel title="Missed notifications">
      {send.isError ? <ErrorCallout problem={send.error} title="Nothing was sent" /> : null}
      {missed.isError ? <ErrorCallout problem={missed.error} /> : null}
      {missed.data === undefined || missed.data.count === 0 || oldestAt === null ? (
        <p className="quiet">None.</p>
      ) : (
        <>
          <p>
            {counted(missed.data.count, "notification")} had no recipient, the oldest at <When at={oldestAt} />. Those
            for the airlines of this recipient can be sent to it.
          </p>
          <Group align="end" gap="sm">
            <TextInput
              type="datetime-local"
              label="Since"
              description="Your local time. Empty: all of them."
              value={since}
              onChange={(event) => setSince(event.currentTarget.value)}
            />
            <Button
              variant="default"
              loading={send.isPending}
              onClick={() =>
                send.mutate({
                  params: { id: recipient.id },
                  body: { since: parseInstant(since)?.toISOString() ?? oldestAt },
                })
              }
            >
              Send missed notifications
            </Button>
          </Group>
        </>
      )}
    </Panel>
  );
}
