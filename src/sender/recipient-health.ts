import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { AttemptErrorCode } from "./judge-exchange.ts";
import type { HealthChange } from "./ports.ts";

export interface HealthRules {
  /** From so many failures in a row on, the recipient is held back and then probed with one delivery at a time. */
  readonly failuresUntilPaused: number;
  /** How long it is held back, from the first hold on. */
  readonly hold: BackOffPolicy;
  /** When it is said that a recipient fails, counted from its first failure, in ascending order. */
  readonly noticeAfterMs: readonly number[];
  /** A recipient that has failed for so long is disabled. */
  readonly disableAfterMs: number;
  /** Longest hold that a recipient can ask for. */
  readonly retryAfterCapMs: number;
}

/** After ten failures in a row: 30 s, doubling up to 15 minutes. Notices after one and three days, disabled after five. */
export const defaultHealthRules: HealthRules = {
  failuresUntilPaused: 10,
  hold: { baseMs: 30_000, capMs: 15 * 60_000, jitter: 0.2 },
  noticeAfterMs: [24 * 3_600_000, 3 * 24 * 3_600_000],
  disableAfterMs: 5 * 24 * 3_600_000,
  retryAfterCapMs: 10 * 3_600_000,
};

/** Failures that say nothing about the recipient: they are about these bytes, or about this process. */
const notItsFault: ReadonlySet<AttemptErrorCode> = new Set([
  "sender.rejected",
  "sender.stopped",
  "sender.not_sent",
  "sender.credential_unreadable",
  "sender.body_unreadable",
  "sender.token_rejected",
]);

/** Statuses by which a recipient asks to be sent less (RFC 9110 sections 15.6.3 to 15.6.5, RFC 6585 section 4). */
const throttling: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);

/**
 * What a try that was not acknowledged means for its recipient.
 *
 * @param tried.retryAfterMs what the recipient's Retry-After asked for; null when it did not.
 * @param tried.random a number in [0, 1).
 */
export function healthAfter(
  rules: HealthRules,
  tried: {
    readonly errorCode: AttemptErrorCode;
    readonly httpStatus: number | null;
    readonly retryAfterMs: number | null;
    readonly now: Date;
    readonly random: number;
  },
): HealthChange {
  const { errorCode, httpStatus, retryAfterMs, now, random } = tried;
  if (notItsFault.has(errorCode)) return { kind: "unchanged" };
  return {
    kind: "failed",
    judge: ({ failedInRow, failingSince, notices: given }) => {
      const failingMs = now.getTime() - failingSince.getTime();
      const isFailing = failedInRow >= rules.failuresUntilPaused;
      if (isFailing && failingMs >= rules.disableAfterMs) {
        const days = Math.floor(failingMs / (24 * 3_600_000));
        const message = `No delivery was acknowledged for ${days} days, in ${failedInRow} tries; the last one ended with ${errorCode}. Correct the recipient, then resume it; what is pending waits for that.`;
        return { kind: "disable", reason: { code: "sender.recipient_failing", message } };
      }
      const notices = Math.max(given, rules.noticeAfterMs.filter((afterMs) => failingMs >= afterMs).length);
      const askedMs = throttling.has(httpStatus) ? Math.min(retryAfterMs ?? 0, rules.retryAfterCapMs) : 0;
      const ownMs = isFailing ? backOffMs(rules.hold, failedInRow - rules.failuresUntilPaused + 1, random) : 0;
      if (askedMs === 0 && ownMs === 0) return { kind: "goes-on", notices };
      const until = new Date(now.getTime() + Math.max(askedMs, ownMs));
      return { kind: "hold", hold: { until, because: askedMs >= ownMs ? "throttled" : "failing" }, notices };
    },
  };
}
