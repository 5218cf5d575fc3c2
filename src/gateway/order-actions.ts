import { AppError } from "../kernel/app-error.ts";
import { newId } from "../kernel/ids.ts";
import type { Tx } from "../kernel/tx.ts";
import type { Logger } from "../telemetry/logger.ts";
import { type Announced, announceChange } from "./announce-change.ts";
import { bookOffer } from "./book-offer.ts";
import { bookOrder } from "./book-order.ts";
import type { CausedChange } from "./caused-change.ts";
import { changeFlight, type FlightChange } from "./change-flight.ts";
import { type ParsedChangeRequest, partsOf } from "./change-request.ts";
import { type Fault, faultSchema } from "./fault-kinds.ts";
import type { Faults } from "./faults.ts";
import { loadOrderView, pathInView, UnusableOrderView } from "./load-order-view.ts";
import type { ParsedOfferOrderRequest } from "./offer-order-request.ts";
import { noOrderToChange, orderExistsCode } from "./order-codes.ts";
import type { ParsedOrderRequest } from "./order-request.ts";
import { statusBody } from "./order-view-body.ts";
import type {
  Amendment,
  ChangeAnnouncer,
  ChangeHistory,
  DatedFlight,
  FirstBooked,
  GatewayOrder,
  GatewayStore,
  GivenView,
  NewChange,
  StartedDelivery,
} from "./ports.ts";
import { proposeChange } from "./propose-change.ts";
import { type Replacement, replaceOrder, toGivenView } from "./replace-order.ts";
import type { ShoppingContext } from "./shopping/find-offer.ts";
import type { FixedOutcome } from "./supply/fixed-routes.ts";
import { type ViewDifference, viewDifferences } from "./view-differences.ts";

/** Stands in for booking systems and airlines. */
export interface OrderActions {
  /** @throws AppError `gateway.order_exists` */
  createOrder(request: ParsedOrderRequest): Promise<GatewayOrder>;
  /** Books an offer of a search. @throws AppError `gateway.order_exists`, and as `bookOffer` */
  bookOffer(request: ParsedOfferOrderRequest): Promise<GatewayOrder>;
  /** @throws AppError `gateway.order_exists`, `gateway.unusable_order_view` */
  loadOrder(request: LoadOrderRequest): Promise<GatewayOrder>;
  /**
   * Makes the order what a newer view of it says, and adds a notification of the difference to the outbox, in one
   * transaction. A new order is stored without a notification.
   * @throws UnusableOrderView, AppError `gateway.nothing_to_change`
   */
  replaceOrder(orderId: string, request: ReplaceOrderRequest): Promise<OrderReplacement>;
  /**
   * Changes the order and adds its notification to the outbox, in one transaction.
   * @throws AppError `gateway.order_not_found`, or one of `changeErrorCodes`
   */
  causeChange(orderId: string, request: ParsedChangeRequest): Promise<CausedChange>;
  /**
   * Makes several changes one after the other, each with its notification. All are tried first and none is made if one
   * fails, but a concurrent call may still end the series early.
   * @throws AppError as `causeChange`
   */
  causeChanges(orderId: string, requests: readonly ParsedChangeRequest[]): Promise<readonly CausedChange[]>;
  changeFlight(
    flight: DatedFlight,
    request: ParsedChangeRequest,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<FlightChange>;
}

export interface LoadOrderRequest {
  readonly orderView: unknown;
  /** Null: not stated. */
  readonly agencyId: string | null;
}

export interface ReplaceOrderRequest extends LoadOrderRequest {
  /** What to do with flights that differ, if the view states no change: propose them, or take them as booked. */
  readonly flights: "proposed" | "booked";
}

export interface OrderReplacement {
  readonly orderId: string;
  /** `stored`: it is new. */
  readonly outcome: "stored" | "changed" | "unchanged";
  readonly version: number;
  /** The first ones. */
  readonly differences: readonly ViewDifference[];
  /** Null if nothing was to be announced. */
  readonly notification: {
    readonly changeId: string;
    readonly state: Announced["announcement"];
    readonly deliveries: readonly StartedDelivery[];
  } | null;
}

/** An order view that shares nothing with the stored one has some thousands. */
const differencesMax = 100;

export interface OrderActionsOptions extends ShoppingContext {
  readonly store: GatewayStore;
  readonly history: ChangeHistory;
  readonly announcer: ChangeAnnouncer;
  readonly faults: Faults;
  readonly logger: Logger;
}

export function createOrderActions(options: OrderActionsOptions): OrderActions {
  const { store, history, faults, clock, logger } = options;

  const add = async (order: GatewayOrder, change: NewChange | null, view?: GivenView): Promise<GatewayOrder> => {
    if (!(await store.createOrder(order, change, view))) {
      throw new AppError(orderExistsCode, `There is an order ${order.orderId} already. Use another orderId.`);
    }
    logger.info({ orderId: order.orderId, airline: order.owner }, "order.created");
    return order;
  };

  /** With the fault of its route, if it has one. */
  const addBooked = async (order: GatewayOrder): Promise<GatewayOrder> => {
    const added = await add(order, null);
    const fault = faultOf(options.supply.fixedOutcome?.(bookedJourneys(order)) ?? null, order.orderId);
    if (fault !== null) faults.set(fault);
    return added;
  };

  return {
    createOrder: async (request) => addBooked(bookOrder(request, clock.now())),

    bookOffer: async (request) => addBooked(await bookOffer(options, request)),

    async loadOrder({ orderView, agencyId }) {
      const { order, change } = loadOrderView(orderView, newId(clock), clock.now());
      return add({ ...order, agencyId }, change, toGivenView(order));
    },

    async replaceOrder(orderId, request) {
      const changeId = newId(clock);
      const loaded = loadOrderView(request.orderView, changeId, clock.now());
      const given = { ...loaded.order, agencyId: request.agencyId };
      if (given.orderId !== orderId) {
        const message = `is ${given.orderId}, but the path names ${orderId}. Use one id`;
        throw new UnusableOrderView([{ path: pathInView("Order", 0, "OrderID"), message }]);
      }
      const view = toGivenView(given);
      if (await store.createOrder(given, loaded.change, view)) {
        logger.info({ orderId, airline: given.owner }, "order.created");
        return { orderId, outcome: "stored", version: given.version, differences: [], notification: null };
      }
      const replacement = { given, view, flights: request.flights, changeId };
      const replaced = await store.amendOrder(orderId, (before, tx) => replaceAndAnnounce(before, replacement, tx));
      if (replaced === null) throw noOrderToChange(orderId);
      const { outcome, notification } = replaced;
      const announced = { changeId: notification?.changeId ?? null, deliveries: notification?.deliveries.length ?? 0 };
      logger.info({ orderId, outcome, ...announced }, "order.replaced");
      return replaced;
    },

    causeChange,

    async causeChanges(orderId, requests) {
      await tryChanges(orderId, requests);
      const caused: CausedChange[] = [];
      for (const request of requests) caused.push(await causeChange(orderId, request));
      return caused;
    },

    changeFlight: (flight, request, page) => changeFlight({ history, causeChange }, flight, request, page),
  };

  async function replaceAndAnnounce(
    before: GatewayOrder,
    replacement: Omit<Replacement, "earlier">,
    tx: Tx,
  ): Promise<Amendment<OrderReplacement>> {
    const { orderId, version } = before;
    const { changeId, view } = replacement;
    const none = { change: null, settlements: [], journal: null, givenView: view };
    const earlier = await store.readGivenView(tx, orderId);
    const order = replaceOrder(before, { ...replacement, earlier });
    const all = viewDifferences(statusBody(before, undefined), statusBody(order, undefined));
    const differences = all.slice(0, differencesMax);
    if (all.length === 0) {
      const unchanged = { orderId, outcome: "unchanged", differences, notification: null } as const;
      // Whose it is says nothing new to an agency.
      return order.agencyId === before.agencyId
        ? { ...none, order: null, result: { ...unchanged, version } }
        : { ...none, order, isReplacement: true, result: { ...unchanged, version: version + 1 } };
    }
    const { announcement, deliveries } = await announceChange(options, { tx, before, order, changeId });
    const isNew = order.change?.id === changeId;
    return {
      ...none,
      order,
      change: {
        id: changeId,
        orderId,
        kind: "order-view",
        segments: isNew ? order.change.segments : [],
        references: isNew ? order.change.references : [],
        causedAt: clock.now(),
        announcement,
        deliveries: deliveries.length,
      },
      isReplacement: true,
      result: {
        orderId,
        outcome: "changed",
        version: version + 1,
        differences,
        notification: { changeId, state: announcement, deliveries },
      },
    };
  }

  async function causeChange(orderId: string, request: ParsedChangeRequest): Promise<CausedChange> {
    const causedAt = clock.now();
    const changeId = newId(clock);
    const caused = await store.amendOrder<CausedChange>(orderId, async (before, tx) => {
      const order = proposeChange(before, request, changeId, await firstBookedFor([request], tx, orderId));
      const { segments, references } = order.change;
      const announced = await announceChange(options, { tx, before, order, changeId });
      const { kind } = request;
      const { announcement } = announced;
      const deliveries = announced.deliveries.length;
      return {
        order,
        change: { id: changeId, orderId, kind, segments, references, causedAt, announcement, deliveries },
        settlements: [],
        journal: null,
        result: { changeId, orderId, kind, gdsBookingReferences: references, state: announcement, deliveries },
      };
    });
    if (caused === null) throw noOrderToChange(orderId);
    const ids = { orderId, changeId, gdsBookingReferences: caused.gdsBookingReferences };
    logger.info({ ...ids, kind: caused.kind, state: caused.state, deliveries: caused.deliveries }, "change.caused");
    return caused;
  }

  /** Makes the changes without committing them. */
  async function tryChanges(orderId: string, requests: readonly ParsedChangeRequest[]): Promise<void> {
    const tried = await store.amendOrder(orderId, async (before, tx) => {
      const firstBooked = await firstBookedFor(requests, tx, orderId);
      requests.reduce((order, request) => proposeChange(order, request, "tried", firstBooked), before);
      return { order: null, change: null, settlements: [], journal: null, result: true };
    });
    if (tried === null) throw noOrderToChange(orderId);
  }

  /** Only `restore` needs it. */
  async function firstBookedFor(
    requests: readonly ParsedChangeRequest[],
    tx: Tx,
    orderId: string,
  ): Promise<FirstBooked> {
    const goesBack = requests.flatMap(partsOf).some(({ kind }) => kind === "restore");
    return goesBack ? history.readFirstBooked(tx, orderId) : new Map();
  }
}

function bookedJourneys({ content }: GatewayOrder): readonly { readonly from: string; readonly to: string }[] {
  return content.DataLists.OriginDestinationList.OriginDestination.map(({ DepartureCode, ArrivalCode }) => ({
    from: DepartureCode ?? "",
    to: ArrivalCode ?? "",
  }));
}

function faultOf(outcome: FixedOutcome | null, orderId: string): Fault | null {
  switch (outcome) {
    case "accept-without-response":
      return faultSchema.parse({
        mode: "timeout",
        operation: "AirOrderInvoluntaryAccept",
        orderId,
        afterEffect: true,
      });
    case "partial":
      return faultSchema.parse({ mode: "mixed-results", orderId });
    case "stale-status":
      return faultSchema.parse({ mode: "stale-status", orderId });
    default:
      return null;
  }
}
