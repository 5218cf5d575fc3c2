import { AppError } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import type { Logger } from "../telemetry/logger.ts";
import { bookOrder } from "./book-order.ts";
import type { ParsedChangeRequest } from "./change-request.ts";
import { loadOrderView } from "./load-order-view.ts";
import type { ParsedOrderRequest } from "./order-request.ts";
import { notificationBody } from "./order-view-body.ts";
import type { ChangeAnnouncer, ChangeKind, GatewayOrder, GatewayStore, NewChange } from "./ports.ts";
import { proposeChange } from "./propose-change.ts";

/** Code of the error when an order id is taken. */
export const orderExists = "gateway.order_exists";

/** Code of the error when there is no such order. */
export const orderNotFoundCode = "gateway.order_not_found";

/** What stands in for booking systems and airlines: how orders come to be and change. */
export interface OrderActions {
  /** @throws AppError `gateway.order_exists` */
  createOrder(request: ParsedOrderRequest): Promise<GatewayOrder>;
  /** @throws AppError `gateway.order_exists`, `gateway.unusable_order_view` */
  loadOrder(orderView: unknown): Promise<GatewayOrder>;
  /**
   * Changes the order and puts the notification of it into the outbox, both in one transaction.
   *
   * @throws AppError `gateway.order_not_found`, or one of `changeErrorCodes`
   */
  causeChange(orderId: string, request: ParsedChangeRequest): Promise<CausedChange>;
}

export interface CausedChange {
  readonly changeId: string;
  readonly orderId: string;
  readonly kind: ChangeKind;
  /** The booking references that it concerns. */
  readonly gdsBookingReferences: readonly string[];
  /** `no-recipient`: nobody is configured to be told, so no notification exists. */
  readonly state: NewChange["announcement"];
  readonly deliveries: number;
}

export interface OrderActionsOptions {
  readonly store: GatewayStore;
  readonly announcer: ChangeAnnouncer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createOrderActions(options: OrderActionsOptions): OrderActions {
  const { store, announcer, clock, logger } = options;

  const add = async (order: GatewayOrder, change: NewChange | null): Promise<GatewayOrder> => {
    if (!(await store.createOrder(order, change))) {
      throw new AppError(orderExists, `There is an order ${order.orderId} already. Use another orderId.`);
    }
    logger.info({ orderId: order.orderId, airline: order.owner }, "order.created");
    return order;
  };

  return {
    createOrder: (request) => add(bookOrder(request, clock.now()), null),

    async loadOrder(orderView) {
      const { order, change } = loadOrderView(orderView, newId(clock), clock.now());
      return add(order, change);
    },

    async causeChange(orderId, request) {
      const causedAt = clock.now();
      const changeId = newId(clock);
      const caused = await store.amendOrder<CausedChange>(orderId, async (before, tx) => {
        const order = proposeChange(before, request, changeId);
        const { segments, references } = order.change;
        const body = notificationBody(order);
        const { deliveries } = await announcer.announce(tx, { orderId, airline: order.owner, changeId, body });
        const announcement = deliveries > 0 ? "announced" : "no-recipient";
        const { kind } = request;
        return {
          order,
          change: { id: changeId, orderId, kind, segments, references, causedAt, announcement, deliveries },
          settlements: [],
          journal: null,
          answer: { changeId, orderId, kind, gdsBookingReferences: references, state: announcement, deliveries },
        };
      });
      if (caused === null) throw new AppError(orderNotFoundCode, `There is no order ${orderId}. Create it first.`);
      const ids = { orderId, changeId, gdsBookingReferences: caused.gdsBookingReferences };
      logger.info({ ...ids, kind: caused.kind, state: caused.state, deliveries: caused.deliveries }, "change.caused");
      return caused;
    },
  };
}
