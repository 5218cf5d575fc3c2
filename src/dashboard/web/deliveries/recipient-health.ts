import { formatDuration } from "../labels/moments.ts";
import type { Words } from "../labels/state-words.ts";
import { adviceFor } from "./attempt-advice.ts";
import type { Recipient } from "./delivery-api.ts";

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
