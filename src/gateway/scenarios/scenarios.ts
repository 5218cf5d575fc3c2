import { airlineBankruptcy } from "./airline-bankruptcy.ts";
import { calmDay } from "./calm-day.ts";
import { faultyGateway } from "./faulty-gateway.ts";
import { flappingFlight } from "./flapping-flight.ts";
import { hubStorm } from "./hub-storm.ts";
import type { Scenario } from "./scenario-script.ts";
import { seasonChange } from "./season-change.ts";

/** From the quietest to the worst. */
export const scenarios: readonly Scenario[] = [
  calmDay,
  flappingFlight,
  seasonChange,
  hubStorm,
  airlineBankruptcy,
  faultyGateway,
];
