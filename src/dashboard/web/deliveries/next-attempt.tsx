import { When } from "../components/when.tsx";
import type { Delivery, Recipient } from "./delivery-api.ts";
import { currentHold } from "./recipient-health.ts";

interface NextAttemptProps {
  /** A pending one. */
  readonly delivery: Delivery;
  readonly recipient: Recipient | undefined;
  readonly now: Date;
}

/** When the delivery is attempted next, or what must happen before. */
export function NextAttempt({ delivery, recipient, now }: NextAttemptProps) {
  if (delivery.waitsFor !== null) return <span>after the previous one</span>;
  if (recipient !== undefined && recipient.state !== "active") return <span>when the recipient is resumed</span>;
  const hold = recipient === undefined ? null : currentHold(recipient, now);
  const notBefore = hold?.until ?? delivery.dueAt;
  if (notBefore === null || new Date(notBefore) <= now) return <span>due</span>;
  return (
    <span>
      not before <When at={notBefore} />
    </span>
  );
}
