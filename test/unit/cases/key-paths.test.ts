import { describe, expect, test } from "vitest";
import { keyFormsOf, type ObservedPath } from "../../../src/cases/key-paths.ts";

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Sign-ins of four letters, each of one order. */
function signIns(count: number, orders = 1): ObservedPath["values"] {
  return Array.from({ length: count }, (_, at) => ({
    class: "code" as const,
    example: `KQ${capitals[at % 26]}${capitals[Math.floor(at / 26)]}`,
    orders,
  }));
}
const observed = (values: ObservedPath["values"], changes: Partial<ObservedPath> = {}): ObservedPath => ({
  path: "Order.Extra.AgentSign",
  orders: 100,
  values,
  ...changes,
});
const code = (example: string | null, orders = 1) => ({ class: "code" as const, example, orders });

describe("the codes at a path", () => {
  test("are keys of their form if nearly every order has another one", () => {
    expect(keyFormsOf(observed(signIns(20)))).toEqual(["XXXX"]);
    expect(keyFormsOf(observed(signIns(19)))).toEqual([]);
  });

  test("are no keys if one of them stands in more than a tenth of the orders, as a status does", () => {
    expect(keyFormsOf(observed([...signIns(20), code("HOMY", 10)]))).toEqual(["XXXX"]);
    expect(keyFormsOf(observed([...signIns(20), code("HOMY", 11)]))).toEqual([]);
  });

  test.each([["AgentStatus"], ["ReasonCode"], ["Action"], ["Status.Value"], ["Outcome.#text"], ["Zustand"]])(
    "are no keys under the name %s",
    (name) => {
      expect(keyFormsOf(observed(signIns(30), { path: `Order.Extra.${name}` }))).toEqual([]);
    },
  );

  test.each([["AgentCode"], ["@code"], ["Agent.Value"], ["*.Sign"]])("may be keys under the name %s", (name) => {
    expect(keyFormsOf(observed(signIns(30), { path: `Order.Extra.${name}` }))).toEqual(["XXXX"]);
  });

  test("are no keys where orders to stop are stated, unless one is by chance", () => {
    const stop = { class: "stop" as const, example: "HOLD", orders: 1 };

    expect(keyFormsOf(observed([...signIns(20), stop]))).toEqual(["XXXX"]);
    expect(keyFormsOf(observed([...signIns(20), stop, { ...stop, example: "LOST" }]))).toEqual([]);
  });

  test("are keys only of forms that were seen three times, and never if they are words or texts", () => {
    const shorter = [code("ABC"), code("ABD")];

    expect(keyFormsOf(observed([...signIns(20), ...shorter]))).toEqual(["XXXX"]);
    expect(keyFormsOf(observed([...signIns(20), ...shorter, code("ABE")]))).toEqual(["XXX", "XXXX"]);
    const words = signIns(30).map((value) => ({
      ...value,
      example: `${value.example![0]}${value.example!.slice(1).toLowerCase()}`,
    }));
    expect(keyFormsOf(observed(words))).toEqual([]);
    expect(keyFormsOf(observed(signIns(30).map((value) => ({ ...value, example: `${value.example} AB` }))))).toEqual(
      [],
    );
    expect(keyFormsOf(observed(Array.from({ length: 30 }, () => code(null))))).toEqual([]);
  });
});
