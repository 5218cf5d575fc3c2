import type { CausedChange } from "../gateway/caused-change.ts";
import type { FlightChange } from "../gateway/change-flight.ts";
import { orderExistsCode, orderNotFoundCode } from "../gateway/order-codes.ts";
import type { PlayedScenario, ScenarioGateway } from "../gateway/scenarios/play-script.ts";
import { codeOf } from "../kernel/app-error.ts";
import type { DeliveryState, DeliveryView } from "../sender/ports.ts";
import { type ControlClient, notTheGateway } from "./control-client.ts";

/** Few enough for the request to finish in time. */
const ordersPerRequest = 200;

export function playOverHttp(control: ControlClient): ScenarioGateway {
  return {
    async createOrder(order) {
      try {
        await control.call("POST /orders", { body: order });
        return true;
      } catch (error) {
        if (codeOf(error) === orderExistsCode) return false;
        throw error;
      }
    },

    changeOrder: async (orderId, change) =>
      (await control.call("POST /orders/{orderId}/changes", { params: { orderId }, body: change })) as CausedChange,

    async changeFlight({ carrier, flightNumber, date }, change) {
      const items: FlightChange["items"][number][] = [];
      let cursor: string | null = null;
      do {
        const page: FlightChange = await control.call("POST /flights/{carrier}/{number}/{date}/changes", {
          params: { carrier, number: flightNumber, date },
          query: { limit: ordersPerRequest, cursor },
          body: change,
        });
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return items;
    },

    async setFault(fault) {
      await control.call("POST /faults", { body: fault });
    },
  };
}

/** @throws AppError `cli.not_the_gateway` */
export async function hasOrder(control: ControlClient, orderId: string): Promise<boolean> {
  try {
    const found = await control.call("GET /orders/{orderId}", { params: { orderId } });
    if (found.orderId !== orderId) throw notTheGateway(control.url, 200);
    return true;
  } catch (error) {
    if (codeOf(error) === orderNotFoundCode) return false;
    throw error;
  }
}

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

type Delivery = Pick<DeliveryView, "orderId" | "changeId" | "state">;

/** Counts the notifications of the scenario's orders, from the newest back to the first change. */
export async function countDeliveries(control: ControlClient, played: PlayedScenario): Promise<DeliveryCounts> {
  const counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, dead: 0, superseded: 0 };
  const [firstChangeId] = played.changes.map(({ changeId }) => changeId).sort();
  let cursor: string | null = firstChangeId === undefined ? null : "";
  while (cursor !== null) {
    const page: { readonly items: readonly Delivery[]; readonly nextCursor: string | null } = await control.call(
      "GET /deliveries",
      { query: { limit: 200, cursor } },
    );
    for (const { orderId, state } of page.items) if (played.madeOrderIds.has(orderId)) counts[state] += 1;
    // Ids of changes grow with time, so a page with older ones only is before the scenario.
    cursor = page.items.some(({ changeId }) => changeId >= firstChangeId!) ? page.nextCursor : null;
  }
  return counts;
}
