import { type Fact, known, unknown } from "../kernel/fact.ts";
import { localDateTimeOf } from "./local-date-time.ts";

/**
 * Returns whether an offer, or the time to pay it, has run out. Gateways state no zone, so both times are local to the
 * gateway's clock. The offer still holds in the very second of its limit. A limit that is missing or no date-time is
 * unknown.
 * @param limit a value of TimeLimits, as sent: `2027-03-14T07:30:00`, or with a blank between.
 * @param gatewayNow on the gateway's clock, in the same form.
 * @see interface document, "Limits"
 */
export function expired(limit: string | null, gatewayNow: string): Fact<boolean> {
  const until = localDateTimeOf(limit);
  const now = localDateTimeOf(gatewayNow);
  if (until === null) return unknown(limit === null || limit.trim() === "" ? "missing-expiry" : "unreadable-expiry");
  if (now === null) return unknown("unreadable-now");
  // Texts of the form yyyy-mm-ddThh:mm:ss sort by time.
  return known(now > until);
}
