import { type BackOffPolicy, backOffMs } from "../kernel/back-off.ts";
import type { AttemptErrorCode } from "./judge-exchange.ts";
import type { HealthChange } from "./ports.ts";

export interface HealthRules {
  /** From this many failures in a row, the recipient is put on hold and then probed with one delivery at a time. */
  readonly failuresUntilHold: number;
  readonly hold: BackOffPolicy;
  /** Since the first failure, ascending. */
  readonly noticeAfterMs: readonly number[];
  /** Since the first failure. */
  readonly disableAfterMs: number;
  readonly retryAfterCapMs: number;
}

/** Documented in docs/sender.md. */
export const defaultHealthRules: HealthRules = {
  failuresUntilHold: 10,
  hold: { baseMs: 30_000, capMs: 15 * 60_000, jitter: 0.2 },
  noticeAfterMs: [24 * 3_600_000, 3 * 24 * 3_600_000],
  disableAfterMs: 5 * 24 * 3_600_000,
  retryAfterCapMs: 10 * 3_600_000,
};

/** Failures that concern the bytes or this process, not the recipient. */
const notItsFault: ReadonlySet<AttemptErrorCode> = new Set([
  "sender.rejected",
  "sender.stopped",
  "sender.not_sent",
  "sender.credential_unreadable",
  "sender.body_unreadable",
  "sender.token_rejected",
]);

/** Statuses that ask for fewer requests (RFC 9110 sections 15.6.3 to 15.6.5, RFC 6585 section 4). */
const throttling: ReadonlySet<number | null> = new Set([429, 502, 503, 504]);

/**
 * @param tried.retryAfterMs null without Retry-After
 * @param tried.random in [0, 1)
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
      const isFailing = failedInRow >= rules.failuresUntilHold;
      if (isFailing && failingMs >= rules.disableAfterMs) {
        const days = Math.floor(failingMs / (24 * 3_600_000));
        const message = `No delivery was acknowledged for ${days} days, in ${failedInRow} attempts; the last one ended with ${errorCode}. Correct the recipient, then resume it; what is pending waits for that.`;
        return { kind: "disable", reason: { code: "sender.recipient_failing", message } };
      }
      const notices = Math.max(given, rules.noticeAfterMs.filter((afterMs) => failingMs >= afterMs).length);
      const askedMs = throttling.has(httpStatus) ? Math.min(retryAfterMs ?? 0, rules.retryAfterCapMs) : 0;
      const ownMs = isFailing ? backOffMs(rules.hold, failedInRow - rules.failuresUntilHold + 1, random) : 0;
      if (askedMs === 0 && ownMs === 0) return { kind: "goes-on", notices };
      const until = new Date(now.getTime() + Math.max(askedMs, ownMs));
      return { kind: "hold", hold: { until, because: askedMs >= ownMs ? "throttled" : "failing" }, notices };
    },
  };
}
