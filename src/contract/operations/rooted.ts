import { z } from "zod";

/** A body under its root key: `rooted("OrderStatusRQ", z.strictObject({…}))`. Its type knows the key. */
export function rooted<Root extends string, Body extends z.ZodType>(root: Root, body: Body) {
  return z.strictObject({ [root]: body } as Record<Root, Body>);
}
