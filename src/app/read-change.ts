import { type Escalation, statusRefusedBy } from "../cases/escalation.ts";
import { dialect } from "../connectors/document/dialect.ts";
import { readStoredStatus } from "../connectors/document/gateway.ts";
import { GatewayError } from "../contract/failed-call.ts";
import type { OrderView } from "../contract/order-view.ts";

export interface ChangeBodies {
  readonly body: Uint8Array;
  /** A status as the gateway responded with it; null uses the notification instead. */
  readonly statusBody: Uint8Array | null;
}

/** The status is null if none was given. */
export type ChangeReading =
  | { readonly ok: true; readonly notified: readonly OrderView[]; readonly status: StatusReading | null }
  | (UnusableBody & { readonly ok: false });

interface UnusableBody {
  readonly of: "notification" | "status";
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** What the gateway shows, or why a person is asked: it refused to show anything. */
type StatusReading =
  | { readonly view: OrderView; readonly refused: null }
  | { readonly view: null; readonly refused: Escalation };

/**
 * Reads a notification and the status of its orders as receiver, worker and gateway client do, wherever the bodies come
 * from: a status that states errors is a refusal, even beside an order.
 */
export function readChange({ body, statusBody }: ChangeBodies): ChangeReading {
  const { views, problem } = dialect.readViews(body);
  if (problem !== null) return { ok: false, of: "notification", ...problem };
  const notified = views.map(({ view }) => view);
  if (statusBody === null) return { ok: true, notified, status: null };
  const status = readStatus(statusBody);
  return "view" in status ? { ok: true, notified, status } : { ok: false, ...status };
}

/** A status as the worker reads it. */
export function readStatus(body: Uint8Array): StatusReading | UnusableBody {
  try {
    return { view: readStoredStatus(body), refused: null };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const refused = statusRefusedBy(error);
    if (refused !== null) return { view: null, refused };
    const words = error.gatewayText === null ? "" : ` It says: ${error.gatewayText}`;
    return { of: "status", code: error.code, path: "", message: `${error.message}${words}` };
  }
}
