import type { z } from "zod";
import type { ChangeRequest } from "../change-request.ts";
import type { faultSchema } from "../fault-kinds.ts";
import type { OrderRequest } from "../order-request.ts";
import type { DatedFlight } from "../ports.ts";

/** Orders, and what happens to them, as data. */
export interface ScenarioScript {
  readonly orders: readonly ScenarioOrder[];
  /** In this order. */
  readonly steps: readonly ScenarioStep[];
}

export type ScenarioOrder = OrderRequest & { readonly orderId: string };

/** The title is for people. */
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

/** The same setting gives the same script. */
export interface Setting {
  /** Letters and digits, part of each order id. */
  readonly seed: string;
  /** The number of orders. */
  readonly orders: number;
  /** Every flight departs after it. */
  readonly now: Date;
}

/** A kind of script. */
export interface Scenario {
  readonly name: string;
  /** In one line. */
  readonly summary: string;
  /** What to look at when playing it. */
  readonly expectation: string;
  readonly orders: { readonly usual: number; readonly max: number };
  /** The default rate. */
  readonly stepsPerSecond: number;
  build(setting: Setting): ScenarioScript;
}
