import type { Words } from "../labels/state-words.ts";
import { adviceFor } from "./attempt-advice.ts";
import {
  type Attempt,
  type AttemptResult,
  type Delivery,
  type DeliveryState,
  isOfEvent,
  isOfEvents,
  type Recipient,
} from "./delivery-api.ts";

/** Which airlines or events a recipient is sent. */
export function describeScope(recipient: Recipient): string {
  if (isOfEvents(recipient))
    return recipient.eventTypes === null ? "All but traveller.inform" : recipient.eventTypes.join(", ");
  return recipient.airlines === null ? "All airlines" : recipient.airlines.join(", ");
}

/** What is delivered, besides the order. */
export function describeContent(delivery: Delivery): string {
  return isOfEvent(delivery) ? delivery.eventType : delivery.airline;
}

/** `HTTP 403`, or why there was no response. */
export function describeLastResponse({ lastAttempt }: Pick<Delivery, "lastAttempt">): string {
  if (lastAttempt === null) return "–";
  const { httpStatus, errorCode } = lastAttempt;
  if (httpStatus !== null) return `HTTP ${httpStatus}`;
  return (errorCode === null ? null : adviceFor(errorCode)?.what) ?? describeOutcome(lastAttempt).meaning;
}

/** As far as the delivery tells: it was pending then. Nothing can be sent to such a recipient. */
export function isRecipientRemoved({ deadReason }: Pick<Delivery, "deadReason">): boolean {
  return deadReason?.code === "sender.recipient_removed";
}

export const deliveryStateWords: Readonly<Record<DeliveryState, Words>> = {
  pending: { label: "Pending", tone: "busy", meaning: "Waiting for its turn, a retry or the recipient." },
  delivered: { label: "Delivered", tone: "good", meaning: "The recipient acknowledged it." },
  dead: { label: "Dead", tone: "bad", meaning: "Not retried automatically. It can be sent again." },
  superseded: { label: "Superseded", tone: "plain", meaning: "Replaced by a newer notification of the order." },
};

export function describeOutcome({ outcome, httpStatus }: Pick<AttemptResult, "outcome" | "httpStatus">): Words {
  switch (outcome) {
    case "delivered":
      return { label: "Acknowledged", tone: "good", meaning: "The recipient acknowledged it." };
    case "refused":
      return {
        label: "Not acknowledged",
        tone: "warn",
        meaning: `It responded with ${httpStatus ?? "something else"}.`,
      };
    case "failed":
      return { label: "No response", tone: "bad", meaning: "No complete response was received." };
    case null:
      return {
        label: "In progress",
        tone: "busy",
        meaning: "In progress, or cut off by a crash: it may have been received.",
      };
  }
}

export const authorizationWords = { none: "None", basic: "Basic", bearer: "Bearer token", oauth: "OAuth" } as const;

/** `Took 120 ms: DNS 3 ms, connection 10 ms, TLS 22 ms, first byte after 118 ms` */
export function describeTimings({ durationMs, timings }: AttemptResult): string {
  if (durationMs === null) return "Duration not recorded.";
  const parts = [
    ["DNS", timings?.lookupMs],
    ["connection", timings?.connectMs],
    ["TLS", timings?.tlsMs],
    ["first byte after", timings?.firstByteMs],
  ] as const;
  const phases = parts.flatMap(([label, ms]) =>
    ms === null || ms === undefined ? [] : [`${label} ${Math.round(ms)} ms`],
  );
  return `Took ${Math.round(durationMs).toLocaleString("en")} ms${phases.length === 0 ? "" : `: ${phases.join(", ")}`}.`;
}

/** The headers that follow from what is stored. */
export function describeRequest({ startedAt }: Pick<Attempt, "startedAt">, deliveryId: string): string {
  return [
    "POST",
    "content-type: application/json",
    `webhook-id: ${deliveryId}`,
    `webhook-timestamp: ${Math.floor(new Date(startedAt).getTime() / 1_000)}`,
  ].join("\n");
}

export function describeResponse({ httpStatus, answerExcerpt }: Pick<Attempt, "httpStatus" | "answerExcerpt">): string {
  if (httpStatus === null) return answerExcerpt ?? "None.";
  return [`HTTP ${httpStatus}`, ...(answerExcerpt === null || answerExcerpt === "" ? [] : ["", answerExcerpt])].join(
    "\n",
  );
}
