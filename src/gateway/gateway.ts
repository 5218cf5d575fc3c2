import type { Router } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import type { ControlAccess } from "./control-check.ts";
import { createControlRouter } from "./control-router.ts";
import type { GatewayCredentials } from "./credentials.ts";
import { createFaultInjector } from "./fault-injector.ts";
import { createFaults } from "./faults.ts";
import type { GatewayOperation } from "./operation.ts";
import { createOperationRouter } from "./operation-router.ts";
import { airDocRetreive } from "./operations/air-doc-retreive.ts";
import { airFareRules } from "./operations/air-fare-rules.ts";
import { airGetBrandedOffers } from "./operations/air-get-branded-offers.ts";
import { airOfferPrice } from "./operations/air-offer-price.ts";
import { airOfferServiceList } from "./operations/air-offer-service-list.ts";
import { airOfferSplit } from "./operations/air-offer-split.ts";
import { airOrderCancel } from "./operations/air-order-cancel.ts";
import { airOrderInvoluntaryAccept } from "./operations/air-order-involuntary-accept.ts";
import { airOrderInvoluntaryCancel } from "./operations/air-order-involuntary-cancel.ts";
import { airOrderReshop } from "./operations/air-order-reshop.ts";
import { airPostBookingAncillary } from "./operations/air-post-booking-ancillary.ts";
import { airPostBookingSeatMap } from "./operations/air-post-booking-seat-map.ts";
import { airReservationStatus } from "./operations/air-reservation-status.ts";
import { airSeatMap } from "./operations/air-seat-map.ts";
import { airTicketVoid } from "./operations/air-ticket-void.ts";
import { createOrderActions, type OrderActions } from "./order-actions.ts";
import { createOrderEvents } from "./order-events.ts";
import type { ChangeAnnouncer, ChangeHistory, GatewayStore, ServiceSwitches } from "./ports.ts";
import { optionalServices } from "./service-switches.ts";
import { createOfferSearches } from "./shopping/offer-searches.ts";
import type { ShoppingStore } from "./shopping/ports.ts";
import { noSupply, refuseToSell } from "./supply/no-supply.ts";
import type { Supply } from "./supply/supply.ts";

const orderOperations: readonly GatewayOperation[] = [
  airReservationStatus,
  airOrderInvoluntaryAccept,
  airOrderInvoluntaryCancel,
  airOrderCancel,
  airTicketVoid,
  airDocRetreive,
];

const supplyOperations: readonly GatewayOperation[] = [
  airOfferPrice,
  airGetBrandedOffers,
  airOfferSplit,
  airFareRules,
  airOfferServiceList,
  airSeatMap,
  airOrderReshop,
  airPostBookingAncillary,
  airPostBookingSeatMap,
];

export interface GatewayOptions extends ControlAccess {
  readonly store: GatewayStore;
  readonly history: ChangeHistory;
  readonly services: ServiceSwitches;
  readonly shopping: ShoppingStore;
  /** Null if it sells nothing: operations that need it are then unknown. */
  readonly supply: Supply | null;
  readonly announcer: ChangeAnnouncer;
  readonly credentials: GatewayCredentials;
  /** Whether the operations take only requests in the exact form of the contract. Default: no. */
  readonly strict?: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer?: Tracer;
}

export interface Gateway {
  /** Mounted at `/control` before the operations. Requests without a route are passed on, authenticated. */
  readonly control: Router;
  /** Mounted at `/`. Responds to every request, to unknown ones with 404. */
  readonly router: Router;
  /** The actions of the control routes, for callers in the same process. */
  readonly actions: OrderActions;
}

/** Its only state of its own is the faults; orders are in the store. */
export function createGateway(options: GatewayOptions): Gateway {
  const { store, shopping, announcer, clock, logger, tracer = noTracer, credentials } = options;
  const supply = options.supply ?? noSupply;
  const services = options.supply === null ? withoutSupply(options.services) : options.services;
  const faults = createFaults();
  const actions = createOrderActions({ ...options, supply, faults });
  const events = createOrderEvents(options);
  const offered = createOfferSearches({ ...options, supply });
  const searches = options.supply === null ? { ...offered, search: refuseToSell } : offered;
  return {
    control: createControlRouter({
      store,
      searches,
      actions,
      events,
      faults,
      services,
      logger,
      verifyToken: options.verifyToken,
      addressOf: options.addressOf,
      ...(options.isSignedIn === undefined ? {} : { isSignedIn: options.isSignedIn }),
    }),
    router: createOperationRouter({
      store,
      shopping,
      supply,
      clock,
      logger,
      tracer,
      credentials,
      faultInjector: createFaultInjector({ faults, actions, announcer, clock }),
      services,
      strict: options.strict ?? false,
      operations: options.supply === null ? orderOperations : [...orderOperations, ...supplyOperations],
    }),
    actions,
  };
}

/** All optional services need it. */
function withoutSupply(services: ServiceSwitches): ServiceSwitches {
  return { ...services, readSwitchedOff: async () => optionalServices };
}
