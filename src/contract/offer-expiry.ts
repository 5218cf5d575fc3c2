import { type Fact, known, unknown } from "../kernel/fact.ts";
import { localDateTimeOf } from "./local-date-time.ts";

/**
 * Whether an offer, or the time to pay it, has run out. The gateway states no zone, so both sides are compared as local
 * times on the gateway's clock, and none is assumed here: whoever asks says what that clock reads. To the second itself the
 * offer holds, since it is no longer valid *after* its expiry. A limit that is missing or no date-time is unknown, which
 * is not the same as valid for ever.
 *
 * @param limit a value of TimeLimits, as sent: `2027-03-14T07:30:00`, or with a blank between.
 * @param gatewayNow date and time on the gateway's clock, in the same form.
 * @see interface document, "Limits"
 */
export function expired(limit: string | null, gatewayNow: string): Fact<boolean> {
  const until = localDateTimeOf(limit);
  const now = localDateTimeOf(gatewayNow);
  if (until === null) return unknown(limit === null || limit.trim() === "" ? "missing-expiry" : "unreadable-expiry");
  if (now === null) return unknown("unreadable-now");
  // Both are yyyy-mm-ddThh:mm:ss: the order of the texts is the order of the times.
  return known(now > until);
}
