import { listOf, member, textOf } from "../contract/lenient-value.ts";
import type { OperationName, OrderQuery } from "../contract/operations/operation.ts";
import type { Clock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { isRecord } from "../kernel/record.ts";
import type { Faults, TransportFault } from "./faults.ts";
import type { GatewayOperation, OperationCall, OperationContext } from "./operation.ts";
import { resultElement } from "./operations/settle-pending-change.ts";
import type { OrderActions } from "./order-actions.ts";
import { notificationBody } from "./order-view-body.ts";
import type { ChangeAnnouncer, GatewayOrder, GatewayStore } from "./ports.ts";
import { type ChangeOutcome, settleChange } from "./settle-change.ts";

/** Carries out operations with the faults of meaning. */
export interface FaultInjector {
  /**
   * Takes the next fault of transport, or null. One that fails after the effect is left for a later call while an accept
   * or a cancel settles nothing.
   */
  takeTransport(
    operation: GatewayOperation,
    context: OperationContext,
    call: OperationCall<unknown>,
  ): Promise<TransportFault | null>;
  carryOut(operation: GatewayOperation, context: OperationContext, call: OperationCall<unknown>): Promise<unknown>;
}

export interface FaultInjectorOptions {
  readonly faults: Faults;
  readonly actions: Pick<OrderActions, "causeChange">;
  readonly announcer: ChangeAnnouncer;
  readonly clock: Clock;
}

const outcomes: Partial<Readonly<Record<OperationName, ChangeOutcome>>> = {
  AirOrderInvoluntaryAccept: "accepted",
  AirOrderInvoluntaryCancel: "rejected",
};

/**
 * Operations know nothing of faults. Their store shows a distorted order, or remembers the order before an accept or a
 * cancel, and they are called with some of the booking references. Effects and notifications of a faulty call are
 * committed like all others.
 */
export function createFaultInjector(options: FaultInjectorOptions): FaultInjector {
  const { faults, actions } = options;

  async function replaceProposal(orderId: string, at: "read" | "accept"): Promise<void> {
    const fault = faults.take("replaced-proposal", orderId, (candidate) => candidate.at === at);
    if (fault !== null) await actions.causeChange(orderId, fault.change);
  }

  /** Whether an accept or a cancel would succeed for one of the references; true for other operations. */
  async function hasEffect({ store }: OperationContext, name: OperationName, { orderId, references }: Subject) {
    const outcome = outcomes[name];
    // Most gateways have no faults, and need not read the order twice.
    if (outcome === undefined || orderId === null || faults.list().length === 0) return true;
    const order = await store.readOrder(orderId);
    return order !== null && settleChange(order, outcome, references, options.clock.now()).settlements.length > 0;
  }

  return {
    async takeTransport({ contract: { name } }, context, call) {
      const subject = subjectOf(call);
      const isEffective = await hasEffect(context, name, subject);
      return faults.takeTransport(name, subject.orderId, ({ afterEffect }) => !afterEffect || isEffective);
    },

    async carryOut(operation, context, call) {
      const { name } = operation.contract;
      const { orderId, references } = subjectOf(call);
      if (orderId === null) return operation.carryOut(context, call);
      if (name === "AirReservationStatus") {
        const store = distortingStore(context.store, options);
        const body = await operation.carryOut({ ...context, store }, call);
        await replaceProposal(orderId, "read");
        return body;
      }
      if (outcomes[name] === undefined) return operation.carryOut(context, call);
      if (name === "AirOrderInvoluntaryAccept") await replaceProposal(orderId, "accept");
      const store = rememberingStore(context.store, options);
      const [first = "", ...others] = references;
      const canBeMixed = others.length > 0 && (await hasEffect(context, name, { orderId, references: [first] }));
      if (!canBeMixed || faults.take("mixed-results", orderId) === null) {
        return operation.carryOut({ ...context, store }, call);
      }
      const query = { ...(call.query as OrderQuery), gdsBookingReferences: [first] };
      const body = await operation.carryOut({ ...context, store }, { ...call, query });
      return withFailures(body, operation.contract.responseRoot, orderId, others);
    },
  };
}

/** What a call names. */
interface Subject {
  /** Null for a call about offers. */
  readonly orderId: string | null;
  readonly references: readonly string[];
}

function subjectOf({ query }: OperationCall<unknown>): Subject {
  return {
    orderId: textOf(member(query, "orderId")),
    references: listOf(member(query, "gdsBookingReferences")).map(String),
  };
}

/** Reads are distorted, writes are not. */
function distortingStore(store: GatewayStore, { faults, clock }: FaultInjectorOptions): GatewayStore {
  return {
    ...store,
    async readOrder(orderId) {
      const order = faults.staleOrder(orderId, clock.now()) ?? (await store.readOrder(orderId));
      return order === null ? null : distort(order, faults);
    },
  };
}

function distort(order: GatewayOrder, faults: Faults): GatewayOrder {
  const { orderId, change } = order;
  const isBlank = faults.take("blank-pnr-status", orderId) !== null;
  const hasNoFlags = faults.take("status-without-flags", orderId) !== null;
  const hasNoChange = faults.take("status-without-change", orderId) !== null;
  const isLeftOver = change !== null && faults.take("leftover-accepted", orderId) !== null;
  return {
    ...order,
    change: hasNoChange ? null : change,
    references: order.references.map((reference) => ({
      ...reference,
      ...(isBlank ? { pnrStatus: "" as const } : {}),
      ...(isLeftOver && change.references.includes(reference.gdsBookingReference)
        ? { scheduleChangeStatus: "Accepted" as const }
        : {}),
      ...(hasNoFlags && reference.flags !== null
        ? { flags: { accept: null, cancel: null, reSchedule: null } as const }
        : {}),
    })),
  };
}

/** Remembers the order before an accept or a cancel, and announces the one after it. */
function rememberingStore(store: GatewayStore, { faults, announcer, clock }: FaultInjectorOptions): GatewayStore {
  return {
    ...store,
    async amendOrder(orderId, amend) {
      let before: GatewayOrder | null = null;
      const result = await store.amendOrder(orderId, async (order, tx) => {
        const amendment = await amend(order, tx);
        if (amendment.order === null || amendment.settlements.length === 0) return amendment;
        before = order;
        if (faults.take("ocn-echoed", orderId) !== null) {
          const body = notificationBody(amendment.order);
          const { owner, agencyId } = order;
          await announcer.announce(tx, { orderId, airline: owner, agencyId, changeId: newId(clock), body });
        }
        return amendment;
      });
      const fault = before === null ? null : faults.take("stale-status", orderId);
      if (before !== null && fault !== null) {
        faults.saveStale(before, new Date(clock.now().getTime() + fault.seconds * 1_000));
      }
      return result;
    },
  };
}

/** For the references that the operation was not called with. */
function withFailures(body: unknown, root: string, orderId: string, references: readonly string[]): unknown {
  const content = member(body, root);
  if (!isRecord(content)) return body;
  const failures = references.map((gdsBookingReference) =>
    resultElement(orderId, {
      gdsBookingReference,
      status: "FAILED",
      errorMessage: `The airline did not respond for ${gdsBookingReference}.`,
      refund: null,
    }),
  );
  return { [root]: { ...content, Result: [...listOf(content.Result), ...failures] } };
}
