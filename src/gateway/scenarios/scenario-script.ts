import type { z } from "zod";
import type { ChangeRequest } from "../change-request.ts";
import type { faultSchema } from "../fault-kinds.ts";
import type { OrderRequest } from "../order-request.ts";
import type { DatedFlight } from "../ports.ts";

/** Orders, and what happens to them. It is data: telling it changes nothing, playing it does. */
export interface ScenarioScript {
  readonly orders: readonly ScenarioOrder[];
  /** In the order in which they happen. */
  readonly steps: readonly ScenarioStep[];
}

export type ScenarioOrder = OrderRequest & { readonly orderId: string };

/** One thing that happens; `title` says it to people. */
export type ScenarioStep =
  | {
      readonly happens: "order-change";
      readonly title: string;
      readonly orderId: string;
      readonly change: ChangeRequest;
    }
  | {
      /** Every order on the flight is changed. */
      readonly happens: "flight-change";
      readonly title: string;
      readonly flight: DatedFlight;
      readonly change: ChangeRequest;
    }
  | { readonly happens: "fault"; readonly title: string; readonly fault: z.input<typeof faultSchema> };

/** What a story is told from. The same setting gives the same story. */
export interface Setting {
  /** Letters and digits; part of each order id. */
  readonly seed: string;
  /** How many orders there are. */
  readonly orders: number;
  /** Every flight leaves after it. */
  readonly now: Date;
}

/** A kind of story that can be told again and again. */
export interface Scenario {
  readonly name: string;
  /** What happens, in a line. */
  readonly summary: string;
  /** What it is good for: what somebody who plays it should look at. */
  readonly expectation: string;
  readonly orders: { readonly usual: number; readonly max: number };
  /** Steps a second when nothing else is asked for. */
  readonly stepsPerSecond: number;
  build(setting: Setting): ScenarioScript;
}
