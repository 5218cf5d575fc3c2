import { describe, expect, test } from "vitest";
import { bookOrder } from "../../../src/gateway/book-order.ts";
import { changeOfFlightSchema, changeRequestSchema, partsOf } from "../../../src/gateway/change-request.ts";
import { faultKinds, faultSchema } from "../../../src/gateway/fault-kinds.ts";
import { elapsedMinutes, readLocalTime } from "../../../src/gateway/local-time.ts";
import { orderRequestSchema } from "../../../src/gateway/order-request.ts";
import { proposeChange } from "../../../src/gateway/propose-change.ts";
import type { ScenarioScript, ScenarioStep } from "../../../src/gateway/scenarios/scenario-script.ts";
import { scenarios } from "../../../src/gateway/scenarios/scenarios.ts";
import { datedFlight } from "../../../src/gateway/scenarios/timetable.ts";
import { findAirport } from "../../../src/gateway/served-airports.ts";

const now = new Date("2026-11-21T12:00:00Z");
const setting = { seed: "7", orders: 40, now };

describe.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("the scenario %s", (_, scenario) => {
  const script = scenario.build(setting);

  test("is the same script for the same seed and another one for another seed", () => {
    expect(scenario.build(setting)).toEqual(script);
    expect(scenario.build({ ...setting, seed: "8" })).not.toEqual(script);
  });

  test("makes as many orders as it is asked for, each of them bookable and with an id of its own", () => {
    expect(script.orders).toHaveLength(40);
    expect(new Set(script.orders.map(({ orderId }) => orderId)).size).toBe(40);
    for (const order of script.orders) {
      const booked = bookOrder(orderRequestSchema.parse(order), now);
      expect(booked.references).toMatchObject([{ pnrStatus: "CONFIRMED" }]);
    }
    expect(scenario.build({ ...setting, orders: 1 }).orders).toHaveLength(1);
  });

  test("has flights that leave later than now, and take as long as they are said to", () => {
    for (const flight of script.orders.flatMap(({ flights = [] }) => flights)) {
      const [departure, arrival] = [readLocalTime(flight.departure)!, readLocalTime(flight.arrival)!];
      const [from, to] = [findAirport(flight.from)!, findAirport(flight.to)!];
      expect(Date.parse(`${flight.departure}Z`)).toBeGreaterThan(now.getTime() + 86_400_000);
      expect(elapsedMinutes(departure, from.timeZone, arrival, to.timeZone)).toBe(flight.durationMinutes);
    }
  });

  test("changes only its own orders and flights, in a way that the control routes understand", () => {
    const orderIds = new Set(script.orders.map(({ orderId }) => orderId));
    const flights = new Set(
      script.orders.flatMap((order) => order.flights!.map((f) => JSON.stringify(datedFlight(f)))),
    );
    expect(script.steps.length).toBeGreaterThan(0);
    for (const step of script.steps) {
      expect(step.title).not.toBe("");
      if (step.happens === "flight-change") {
        expect(changeOfFlightSchema.safeParse(step.change).error).toBeUndefined();
        expect(flights).toContain(JSON.stringify(step.flight));
      } else if (step.happens === "order-change") {
        expect(changeRequestSchema.safeParse(step.change).error).toBeUndefined();
        expect(orderIds).toContain(step.orderId);
      } else {
        expect(orderIds).toContain(faultSchema.parse(step.fault).orderId);
      }
    }
  });
});

test("a calm day changes one order in four, and nothing by more than twenty minutes", () => {
  const { steps } = build("calm-day");

  expect(steps).toHaveLength(10);
  for (const change of changesIn(steps)) {
    if (change.kind === "retime") expect(Math.abs(change.departureMinutes)).toBeLessThanOrEqual(20);
    else expect(["terminal", "aircraft", "renumber"]).toContain(change.kind);
  }
});

test("a storm hits connecting orders with delays and cancellations, and leaves some flights alone", () => {
  const { orders, steps } = build("hub-storm");

  expect(orders.every(({ flights = [] }) => flights.length === 2 && flights[0]!.to === "FRA")).toBe(true);
  expect(new Set(changesIn(steps).map(({ kind }) => kind))).toEqual(new Set(["cancel", "retime"]));
  const flown = new Set(orders.flatMap((order) => order.flights!.map((flight) => JSON.stringify(datedFlight(flight)))));
  expect(steps.length).toBeLessThan(flown.size);
});

test.each([
  ["2026-11-21T12:00:00Z", "2027-03-28"],
  ["2027-06-01T12:00:00Z", "2027-10-31"],
  // Three weeks before the clocks change, and one day less than that.
  ["2027-03-07T12:00:00Z", "2027-03-28"],
  ["2027-03-08T12:00:00Z", "2027-10-31"],
])("the season shown at %s changes with the clocks on %s", (moment, sunday) => {
  const scenario = scenarios.find(({ name }) => name === "season-change")!;
  const { orders } = scenario.build({ seed: "7", orders: 200, now: new Date(moment) });

  const dates = [...new Set(orders.map(({ flights }) => flights![0]!.departure.slice(0, 10)))].sort();
  const day = (offset: number) => new Date(Date.parse(sunday) + offset * 86_400_000).toISOString().slice(0, 10);
  expect(dates).toEqual([-1, 0, 1, 5, 14].map(day));
});

test("a new season moves some flights by exactly one hour", () => {
  const shifts = changesIn(build("season-change").steps).flatMap((change) =>
    change.kind === "retime" ? [change.departureMinutes] : [],
  );

  expect(shifts).toContain(60);
  expect(shifts).toContain(-60);
});

test("a bankruptcy withdraws every flight of the airline, and only rescued travellers may accept", () => {
  const { orders, steps } = build("airline-bankruptcy");

  expect(steps).toHaveLength(orders.length);
  let rescued = 0;
  steps.forEach((step, position) => {
    if (step.happens !== "order-change") throw new Error(`${step.title} is no change of an order`);
    const order = bookOrder(orderRequestSchema.parse(orders[position]), now);
    const after = proposeChange(order, changeRequestSchema.parse(step.change), "change");
    const left = orders[position]!.flights!.filter(({ carrier }) => carrier !== "0X").length;
    const isRescued = after.change.segments.every(({ becomes }) => becomes.length > 0);
    rescued += isRescued ? 1 : 0;
    expect(after.change.segments).toHaveLength(2 - left);
    expect(after.references[0]).toMatchObject({
      pnrStatus: isRescued || left > 0 ? "SCHEDULE CHANGED" : "CANCELLED",
      flags: { accept: isRescued ? "Y" : "N", cancel: "Y" },
    });
  });
  expect(rescued).toBeGreaterThan(0);
  expect(rescued).toBeLessThan(orders.length / 2);
});

test("a flapping flight is moved away and back, and stays moved", () => {
  const { orders, steps } = build("flapping-flight");

  expect(new Set(orders.map(({ flights }) => JSON.stringify(flights))).size).toBe(1);
  const kinds = changesIn(steps).map(({ kind }) => kind);
  expect(kinds).toEqual([...Array.from({ length: 4 }, () => ["retime", "restore"]).flat(), "retime"]);
});

test("a misbehaving gateway shows every kind of fault there is, each to an order of its own", () => {
  const { steps } = build("misbehaving-gateway", faultKinds.length);

  const faults = steps.flatMap((step) => (step.happens === "fault" ? [faultSchema.parse(step.fault)] : []));
  expect(new Set(faults.map(({ mode }) => mode))).toEqual(new Set(faultKinds.map(({ mode }) => mode)));
  expect(new Set(faults.map(({ orderId }) => orderId)).size).toBe(faultKinds.length);
});

function build(name: string, orders = setting.orders): ScenarioScript {
  return scenarios.find((scenario) => scenario.name === name)!.build({ ...setting, orders });
}

function changesIn(steps: readonly ScenarioStep[]) {
  return steps.flatMap((step) => (step.happens === "fault" ? [] : partsOf(changeRequestSchema.parse(step.change))));
}
