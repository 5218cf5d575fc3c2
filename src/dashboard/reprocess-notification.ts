import type { Caller } from "../cases/visible-sources.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { ReadNotifiedOrders } from "../contract/notified-orders.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { isUnreadableBody } from "../kernel/stored-body-errors.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Quarantine, ReleaseOutcome } from "./notification-ports.ts";

/** `path` is a JSON Pointer into the body. */
export interface Unusable {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

export type Released = Extract<ReleaseOutcome, { readonly outcome: "released" }>;

export type ReprocessOutcome =
  | Released
  | { readonly outcome: "not-found" }
  | { readonly outcome: "not-quarantined" }
  | { readonly outcome: "unusable"; readonly problem: Unusable };

const bodyDeleted: Unusable = {
  code: "ocn.body_deleted",
  path: "",
  message: "Its body was deleted by an erasure. If the gateway sends the notification again, it is read again.",
};

export type ReprocessNotification = (id: string, by: Caller) => Promise<ReprocessOutcome>;

/**
 * Parses the stored bytes of a quarantined notification again. If this version can use them, it releases the notification,
 * which is then processed as if it had just come. Otherwise nothing changes. The limit of orders applies as well.
 */
export function createReprocess(options: {
  readonly quarantine: Quarantine;
  readonly dialect: Dialect;
  readonly orderLimit: number;
  readonly logger: Logger;
}): ReprocessNotification {
  const { quarantine, dialect, orderLimit, logger } = options;
  return async (id, by) => {
    const found = await readStored(quarantine, id, by);
    if (found === null) return { outcome: "not-found" };
    if ("code" in found) return { outcome: "unusable", problem: found };
    if (found.state !== "quarantined") return { outcome: "not-quarantined" };

    if (found.body === null) return { outcome: "unusable", problem: bodyDeleted };
    const { body } = found;
    const verdict = orNotReadable(() => dialect.findOrders(body, orderLimit), id, logger);
    if (!verdict.ok) return { outcome: "unusable", problem: verdict.problem };
    const release = await quarantine.release({ notificationId: id, orders: verdict.orders, by });
    switch (release.outcome) {
      case "released":
        logger.info(
          { notificationId: id, actor: by.actor, caseIds: release.cases.map((released) => released.id) },
          "notification.replayed",
        );
        return release;
      case "not-quarantined":
        return release;
      case "refused":
        return {
          outcome: "unusable",
          problem: {
            code: "ocn.not_storable",
            path: "",
            message: "It names something that the database cannot hold, such as an OrderID with a NUL.",
          },
        };
    }
  };
}

/** The notification, or why its stored bytes cannot be read. */
async function readStored(quarantine: Quarantine, id: string, by: Caller) {
  try {
    return await quarantine.readNotification(id, by.visible);
  } catch (error) {
    if (!isUnreadableBody(error)) throw error;
    return { code: codeOf(error), path: "", message: messageOf(error) };
  }
}

/** One after the other. What is wrong with one says nothing of the others; those not in quarantine are left out. */
export async function reprocessEach(reprocess: ReprocessNotification, ids: readonly string[], by: Caller) {
  const released: { readonly id: string; readonly cases: Released["cases"] }[] = [];
  const unusable: (Unusable & { readonly id: string })[] = [];
  for (const id of ids) {
    const outcome = await reprocess(id, by);
    if (outcome.outcome === "released") released.push({ id, cases: outcome.cases });
    if (outcome.outcome === "unusable") unusable.push({ id, ...outcome.problem });
  }
  return { released, unusable };
}

function orNotReadable(read: () => ReadNotifiedOrders, notificationId: string, logger: Logger): ReadNotifiedOrders {
  try {
    return read();
  } catch (error) {
    // Only a defect of the program gets here. The notification stays in quarantine.
    logger.error({ error, notificationId }, "notification.unreadable");
    return {
      ok: false,
      problem: { code: "ocn.not_readable", path: "", message: "Reading it failed; the log has the details." },
    };
  }
}
