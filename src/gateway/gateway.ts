import type { Router } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createControlRouter } from "./control-router.ts";
import type { GatewayCredentials } from "./credentials.ts";
import { createFaults } from "./faults.ts";
import { createOperationRouter } from "./operation-router.ts";
import { airOrderInvoluntaryAccept } from "./operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "./operations/air-order-involuntary-cancel.ts";
import { airReservationStatus } from "./operations/air-reservation-status.ts";
import { createOrderActions, type OrderActions } from "./order-actions.ts";
import type { ChangeAnnouncer, GatewayStore } from "./ports.ts";

export interface GatewayOptions {
  readonly store: GatewayStore;
  /** Who is told of changes. */
  readonly announcer: ChangeAnnouncer;
  /** What callers of the operations must send. */
  readonly credentials: GatewayCredentials;
  /** Whether a bearer token opens the control routes. */
  readonly verifyToken: (token: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Gateway {
  /** For `/control`, before the operations. Requests that it does not answer are passed on, authenticated. */
  readonly control: Router;
  /** For `/`: the operations. It answers every request, unknown ones with 404. */
  readonly router: Router;
  /** What the control routes do, for callers in the same process. */
  readonly actions: OrderActions;
}

/**
 * The booking gateway over simulated airlines: its operations, and the control routes by which orders are made and
 * changed. It holds no state of its own but the faults that were set.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { store, clock, logger, credentials } = options;
  const faults = createFaults();
  const actions = createOrderActions(options);
  return {
    control: createControlRouter({ store, actions, faults, logger, verifyToken: options.verifyToken }),
    router: createOperationRouter({
      store,
      clock,
      logger,
      credentials,
      faults,
      operations: [airReservationStatus, airOrderInvoluntaryAccept, airOrderInvoluntaryCancel],
    }),
    actions,
  };
}
