import { readNotifiedOrders } from "../../contract/notified-orders.ts";
import type { Dialect } from "../../receiver/ports.ts";

/** Notifications are order views, or lists of them, as JSON. */
export const dialect: Dialect = { findOrders: readNotifiedOrders, module: import.meta.url };
