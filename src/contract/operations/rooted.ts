import { z } from "zod";

/** A body under its root key: `rooted("OrderStatusRQ", z.strictObject({…}))`. Its type knows the key. */
export function rooted<Root extends string, Body extends z.ZodType>(root: Root, body: Body) {
  return z.strictObject({ [root]: body } as Record<Root, Body>);
}

/** A value under its root key, for the schema that `rooted` makes. */
export function underRoot<Root extends string, Body>(root: Root, body: Body): Record<Root, Body> {
  return { [root]: body } as Record<Root, Body>;
}
