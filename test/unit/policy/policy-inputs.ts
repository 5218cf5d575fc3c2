import type { ChangeFacts } from "../../../src/itinerary/fact-catalogue.ts";
import { unknown } from "../../../src/kernel/fact.ts";
import type { LegalAssessment } from "../../../src/policy/legal/assessment.ts";
import type { OrderInputs, PolicyInputs } from "../../../src/policy/policy.ts";
import { changeFacts, type FactOverrides } from "./change-facts.ts";

/** A law that gives nothing. */
export const noRights: LegalAssessment = {
  presets: [],
  verdicts: [],
  hold: { held: false, reasons: [] },
  warnings: [],
};

/** A law under which accepting could give up a refund. */
export const heldByLaw: LegalAssessment = {
  ...noRights,
  hold: { held: true, reasons: ["eu-261: the traveller has a right to a refund."] },
};

const order: OrderInputs = {
  orderId: "QX7R2M1A",
  gdsBookingReferences: ["ABC123"],
  changeSeenAt: new Date("2027-01-01T00:00:00Z"),
  travellerAnswer: null,
  customerAgreement: false,
  ticketIssuedOn: unknown("not-stated"),
};

export type InputOverrides = Partial<Omit<PolicyInputs, "facts" | "order">> & {
  readonly order?: Partial<OrderInputs>;
};

/** Inputs of a decision on these facts; the law gives nothing unless a test says so. */
export function inputsOf(facts: ChangeFacts, overrides: InputOverrides = {}): PolicyInputs {
  return {
    source: "main",
    now: new Date("2027-01-01T01:00:00Z"),
    legal: noRights,
    ...overrides,
    facts,
    order: { ...order, ...overrides.order },
  };
}

/** The same, from what a test puts over the facts of a small retiming. */
export function policyInputs(facts: FactOverrides = {}, overrides: InputOverrides = {}): PolicyInputs {
  return inputsOf(changeFacts(facts), overrides);
}
