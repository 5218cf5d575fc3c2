import type { Sideways } from "../sender/sideways.ts";

export type Neighbour = Sideways;
