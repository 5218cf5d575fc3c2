import { z } from "zod";

/** Puts a schema under a root key, which its type knows: `rooted("OrderStatusRQ", z.strictObject({…}))`. */
export function rooted<Root extends string, Body extends z.ZodType>(root: Root, body: Body) {
  return z.strictObject({ [root]: body } as Record<Root, Body>);
}

/** Makes a value of such a schema. */
export function underRoot<Root extends string, Body>(root: Root, body: Body): Record<Root, Body> {
  return { [root]: body } as Record<Root, Body>;
}
