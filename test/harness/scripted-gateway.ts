import { GatewayError, type GatewayErrorCode, type GatewayPhase } from "../../src/contract/failed-call.ts";
import { findTravellerWords } from "../../src/contract/find-traveller-words.ts";
import { airDocRetreive } from "../../src/contract/operations/air-doc-retreive.ts";
import { readOrderView } from "../../src/contract/read-order-view.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Gateway, GatewayQuery, GatewayResult } from "../../src/worker/gateway-ports.ts";
import { type OrderViewBody, withFlags } from "../builders/sample-notification.ts";

/** A gateway call that fails in the way a test wants. */
export class ScriptedFailure extends GatewayError {
  constructor(phase: GatewayPhase, code: string, retryable = phase !== "responded") {
    super(code as GatewayErrorCode, `scripted: ${code}`, { operation: "AirReservationStatus", phase, retryable });
  }
}

/** The time of this machine, moved. */
export interface MovableClock extends Clock {
  aheadMs: number;
}

export function createMovableClock(): MovableClock {
  const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };
  return clock;
}

/**
 * A gateway whose status and responses a test sets, and which keeps a journal of what it was asked to do. For what the real
 * gateway cannot be made to do from outside: lose a response after acting, contradict itself, hang at an exact moment.
 */
export interface ScriptedGateway extends Gateway {
  /** What AirReservationStatus returns; a function is asked anew each time. */
  status: OrderViewBody | (() => OrderViewBody);
  /** Responses to the next accepts and cancels; when none is left they succeed. */
  readonly responses: (() => Promise<readonly GatewayResult[]>)[];
  /** Every accept and cancel that arrived, in order. */
  readonly journal: { readonly action: "accept" | "cancel"; readonly query: GatewayQuery }[];
  /** What AirDocRetreive returns: the status, unless told otherwise; it fails with a failure. */
  documents: OrderViewBody | ScriptedFailure | null;
  statusReads: number;
  /** How long the next statuses take, milliseconds: the clock is that much further when they are returned. */
  statusesTakeMs: number[];
  /** Of the process that asks. A worker under test goes by it. */
  clock: MovableClock;
  /** Fails the reads while it is set. */
  statusFailure: ScriptedFailure | null;
}

export function createScriptedGateway(status: OrderViewBody): ScriptedGateway {
  const gateway: ScriptedGateway = {
    status,
    responses: [],
    journal: [],
    documents: null,
    statusReads: 0,
    statusesTakeMs: [],
    clock: createMovableClock(),
    statusFailure: null,
    readStatus: async () => {
      gateway.statusReads += 1;
      if (gateway.statusFailure !== null) throw gateway.statusFailure;
      const body = typeof gateway.status === "function" ? gateway.status() : gateway.status;
      const reading = readOrderView(body);
      if (!reading.ok) throw new Error(reading.problem.message);
      gateway.clock.aheadMs += gateway.statusesTakeMs.shift() ?? 0;
      return {
        result: reading.view,
        body: Buffer.from(JSON.stringify(body)),
        travellers: findTravellerWords(body),
        readAt: gateway.clock.now(),
      };
    },
    readDocuments: async () => {
      if (gateway.documents instanceof ScriptedFailure) throw gateway.documents;
      const body = gateway.documents ?? (typeof gateway.status === "function" ? gateway.status() : gateway.status);
      const reading = airDocRetreive.interpret(body);
      if (!reading.ok) throw new Error(reading.problem.code);
      return {
        result: reading.result,
        body: Buffer.from(JSON.stringify(body)),
        travellers: findTravellerWords(body),
        readAt: new Date(),
      };
    },
    accept: (query) => act("accept", query),
    cancel: (query) => act("cancel", query),
  };

  async function act(action: "accept" | "cancel", query: GatewayQuery) {
    gateway.journal.push({ action, query });
    const respond = gateway.responses.shift();
    const results = respond === undefined ? [result(query, "SUCCESS")] : await respond();
    return { result: results, body: Buffer.from(JSON.stringify({ results })), readAt: new Date() };
  }
  return gateway;
}

/** One result for all references of a query. */
export function result(query: GatewayQuery, status: string, errorMessage = ""): GatewayResult {
  return {
    orderId: query.orderId,
    gdsBookingReferences: query.gdsBookingReferences,
    status,
    errorMessage,
    refundAmount: null,
    refundText: null,
    refundPaxWiseFare: [],
  };
}

/** The same view after the change was settled: no flag is Y any more. */
export function settled(body: OrderViewBody, scheduleChangeStatus: "Accepted" | "Rejected"): OrderViewBody {
  const view = withFlags(body, { Accept: "N", Cancel: "N", ReSchedule: "N" });
  for (const order of view.OrderViewRS.Order) {
    order["ScheduleChangeStatus"] = scheduleChangeStatus;
    order["PnrStatus"] = scheduleChangeStatus === "Accepted" ? "CONFIRMED" : "CANCELLED";
  }
  return view;
}
