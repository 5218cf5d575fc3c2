import type { z } from "zod";
import { type FaultKind, faultKinds, type faultSchema } from "../fault-kinds.ts";
import { drawOne } from "../supply/simulated/draw.ts";
import { bookTravellers } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, ScenarioStep, Setting } from "./scenario-script.ts";
import { bookedFlight, dayAfter, flightsAtHub } from "./timetable.ts";

/** The gateway keeps no more. */
const faultsMax = 100;

/** Each order gets one kind of fault. */
export const faultyGateway: Scenario = {
  name: "misbehaving-gateway",
  summary: "Each order meets one kind of fault, of transport, of meaning or of notifications, with a small change.",
  expectation: "That no order is accepted twice or wrongly, and that each one ends decided or with a person.",
  orders: { usual: faultKinds.length, max: faultsMax },
  stepsPerSecond: 4,
  build: buildFaultyGateway,
};

function buildFaultyGateway(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const flights = flightsAtHub("TP", "LIS", dayAfter(now, 30), "from").map((flight) => bookedFlight(flight));
  const orders = bookTravellers(setting, "FAULT", (position) => [drawOne(flights, seed, "flight", position)]);
  const steps = orders.flatMap(({ orderId }, position): readonly ScenarioStep[] => {
    const kind = faultKinds[position % faultKinds.length]!;
    const later = (departureMinutes: number): ScenarioStep => ({
      happens: "order-change",
      title: `${orderId} leaves ${departureMinutes} minutes later`,
      orderId,
      change: { kind: "retime", departureMinutes },
    });
    const fault: ScenarioStep = {
      happens: "fault",
      title: `${orderId} will meet ${kind.mode}`,
      fault: faultOf(kind, orderId, position),
    };
    // A notification can be late only if another one follows.
    return kind.mode === "ocn-reordered" ? [fault, later(10), later(15)] : [fault, later(10)];
  });
  return { orders, steps };
}

/** Transport faults alternate between reading and accepting, before and after the effect. */
function faultOf({ mode, family }: FaultKind, orderId: string, position: number): z.input<typeof faultSchema> {
  if (family !== "transport") return { mode, orderId } as z.input<typeof faultSchema>;
  const operation = position % 2 === 0 ? "AirOrderInvoluntaryAccept" : "AirReservationStatus";
  return { mode, orderId, operation, afterEffect: position % 4 < 2 };
}
