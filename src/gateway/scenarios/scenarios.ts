import { airlineBankruptcy } from "./airline-bankruptcy.ts";
import { calmDay } from "./calm-day.ts";
import { flappingFlight } from "./flapping-flight.ts";
import { hubStorm } from "./hub-storm.ts";
import { misbehavingGateway } from "./misbehaving-gateway.ts";
import { seasonChange } from "./season-change.ts";
import type { Scenario } from "./story.ts";

/** Every scenario that can be played, from the quietest to the worst. */
export const scenarios: readonly Scenario[] = [
  calmDay,
  flappingFlight,
  seasonChange,
  hubStorm,
  airlineBankruptcy,
  misbehavingGateway,
];
