import { formatDuration } from "../labels/moments.ts";
import type { Tone } from "../labels/state-words.ts";
import { adviceFor } from "./attempt-advice.ts";
import {
  type Attempt,
  type AttemptResult,
  type Delivery,
  type DeliveryState,
  isOfEvent,
  isOfEvents,
  type Recipient,
  type RecipientTraffic,
} from "./delivery-api.ts";

export interface Words {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** What stops deliveries takes precedence over what slows them. */
export function describeHealth(recipient: Recipient, now: Date): Words {
  const { state, stateReason, failing, trouble } = recipient;
  if (state === "paused") {
    return { label: "Paused", tone: "plain", meaning: stateReason?.message ?? "Nothing is sent until it is resumed." };
  }
  if (state === "disabled") {
    return { label: "Disabled", tone: "bad", meaning: stateReason?.message ?? "Nothing is sent until it is resumed." };
  }
  const hold = currentHold(recipient, now);
  if (hold !== null) {
    const left = formatDuration((new Date(hold.until).getTime() - now.getTime()) / 1_000);
    return hold.because === "throttled"
      ? {
          label: "Throttled",
          tone: "warn",
          meaning: `It asked us to wait. Next attempt in ${left}.`,
        }
      : { label: "Backing off", tone: "bad", meaning: `It keeps failing. Next attempt in ${left}.` };
  }
  if (failing !== null) {
    const attempts = failing.failedInRow === 1 ? "The last attempt" : `The last ${failing.failedInRow} attempts`;
    return { label: "Failing", tone: "bad", meaning: `${attempts} failed.` };
  }
  if (trouble !== null) {
    return { label: "Retrying", tone: "warn", meaning: adviceFor(trouble.code)?.what ?? trouble.message };
  }
  return { label: "Healthy", tone: "good", meaning: "No failures since the last acknowledgement." };
}

/** The server names the last one until the recipient acknowledges again, so it may be over. */
export function currentHold({ hold }: Pick<Recipient, "hold">, now: Date): Recipient["hold"] {
  return hold !== null && new Date(hold.until) > now ? hold : null;
}

/** Which airlines or events a recipient is sent. */
export function describeScope(recipient: Recipient): string {
  if (isOfEvents(recipient)) return recipient.eventTypes === null ? "All events" : recipient.eventTypes.join(", ");
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

/** `99.5 %`: the delivered share of what was due: delivered, dead, or pending too long. Superseded ones do not count. */
export function describeShare({
  delivered,
  dead,
  late,
}: Pick<RecipientTraffic, "delivered" | "dead" | "late">): string {
  const due = delivered + dead + late;
  if (due === 0) return "–";
  // Rounded down, so that 100 % means that all arrived.
  return `${Math.floor((1_000 * delivered) / due) / 10} %`;
}

export function sumTraffic(items: readonly RecipientTraffic[]): Omit<RecipientTraffic, "recipientId"> {
  const oldest = items.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? []).toSorted();
  const sum = (count: "pending" | "late" | "delivered" | "superseded" | "dead"): number =>
    items.reduce((total, item) => total + item[count], 0);
  return {
    pending: sum("pending"),
    oldestPendingAt: oldest[0] ?? null,
    late: sum("late"),
    delivered: sum("delivered"),
    superseded: sum("superseded"),
    dead: sum("dead"),
  };
}
