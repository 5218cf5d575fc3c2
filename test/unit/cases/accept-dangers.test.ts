import { expect, test } from "vitest";
import { findAcceptDangers } from "../../../src/cases/accept-dangers.ts";
import { known, unknown } from "../../../src/kernel/fact.ts";

const harmless = { rule: "retiming-beyond-limits", facts: { connectionBroken: known(false) }, isHeld: false };

test.each([
  ["nothing speaks against a later departure", {}, []],
  ["a booking that could not be read", { rule: "check:status", facts: null }, ["unread-booking"]],
  ["a connection that cannot be made", { facts: { connectionBroken: known(true) } }, ["connection-broken"]],
  ["a connection of which nothing is known does not count", { facts: { connectionBroken: unknown("airport") } }, []],
  ["flights that are impossible", { facts: { dataSuspect: known(true) } }, ["data-suspect"]],
  ["an order to stop", { facts: { ordersToStop: known(["Order.Hint: contact"]) } }, ["order-to-stop"]],
  ["no order to stop", { facts: { ordersToStop: known([]) } }, []],
  ["orders to stop of which nothing is known do not count", { facts: { ordersToStop: unknown("unread") } }, []],
  ["a right that may be lost", { isHeld: true }, ["legal-hold"]],
  ["several at once", { facts: { connectionBroken: known(true) }, isHeld: true }, ["connection-broken", "legal-hold"]],
])("against an accept: %s", (_, members, dangers) => {
  expect(findAcceptDangers({ ...harmless, ...members })).toEqual(dangers);
});
