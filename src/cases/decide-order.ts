import { interfaceDocument } from "../contract/gateway-capabilities.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { type MemberMarks, shippedMarks } from "../itinerary/member-marks.ts";
import { readProposal } from "../itinerary/proposal.ts";
import { AppError } from "../kernel/app-error.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { LegalAssessment } from "../policy/legal/assessment.ts";
import type { Policy } from "../policy/policy.ts";
import { type AssessedOrder, assess } from "./assess.ts";
import { type CaseVerdict, decide } from "./decide.ts";
import { subjectOfUnseenOrder, unseenOrder } from "./unseen-order.ts";

export interface DecideOptions {
  /** Needed only if the status shows several orders. */
  readonly orderId?: string;
  /** The notification of the change, if it is to be compared with the status. */
  readonly notification?: OrderView;
  /** The `source` that rules can ask for. Default: `default`. */
  readonly source?: string;
  /** Whether the customer has agreed in advance that such changes may be accepted. Default: false. */
  readonly customerAgreement?: boolean;
  /** What nobody reads and is harmless. Default: what the program ships for members of known gateways. */
  readonly marks?: MemberMarks;
  /** Default: the time of the system. */
  readonly clock?: Clock;
}

export interface OrderDecision extends Pick<CaseVerdict, "action" | "reviewQueue" | "priority" | "rule" | "reasons"> {
  readonly orderId: string;
  /** When to look again; only with `wait`. */
  readonly dueAt: Date | null;
  readonly facts: ChangeFacts;
  /** What the passengers have a right to. */
  readonly legal: LegalAssessment;
}

/**
 * Decides about a change as the worker does when it sees the order for the first time: facts, rights, the rules of the
 * policy, and the checks that no policy can switch off. Sends nothing.
 * @param booked the order before the change; null if it is not known: then the status says what was booked.
 * @param status the newest status of the reservation.
 * @throws AppError `decide.no_order`, `decide.several_orders`
 */
export function decideOrder(
  booked: OrderView | null,
  status: OrderView,
  policy: Policy,
  options: DecideOptions = {},
): OrderDecision {
  const { source = "default", customerAgreement = false, marks = shippedMarks, clock = systemClock } = options;
  const orderId = options.orderId ?? onlyOrderOf(status);
  const order = { ...unseenOrder(orderId, options.notification ?? status), ...bookedFlights(booked, orderId) };
  const assessment = assess(
    status,
    order,
    { gateway: interfaceDocument, policy, customerAgreement, marks },
    clock.now(),
  );
  if (assessment === null) throw notShown(orderId, "status");
  const { action, reviewQueue, priority, rule, reasons, dueAt } = decide(
    subjectOfUnseenOrder(source, assessment),
    policy,
  );
  const { facts, legal } = assessment;
  return { orderId, action, reviewQueue, priority, rule, reasons, dueAt, facts, legal };
}

function onlyOrderOf(status: OrderView): string {
  const [orderId, ...others] = new Set(status.orders.map((order) => order.orderId));
  if (orderId === undefined) throw new AppError("decide.no_order", "The status shows no order.");
  if (others.length === 0) return orderId;
  const message = `The status shows the orders ${[orderId, ...others].join(", ")}. Name one in the option orderId.`;
  throw new AppError("decide.several_orders", message);
}

function bookedFlights(booked: OrderView | null, orderId: string): Pick<AssessedOrder, "booked" | "bookedFrom"> {
  if (booked === null) return { booked: null, bookedFrom: null };
  const before = readProposal(booked, orderId);
  if (before === null) throw notShown(orderId, "view before the change");
  return { booked: before.current, bookedFrom: "import" };
}

function notShown(orderId: string, where: string): AppError {
  return new AppError("decide.no_order", `The ${where} does not show order ${orderId}.`);
}
