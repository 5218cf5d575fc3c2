import { toLabel } from "./state-words.ts";

export const taskKinds = [
  { value: "check-ticket", label: "Check the ticket" },
  { value: "check-refund", label: "Check the refund" },
  { value: "check-services", label: "Check seats and services" },
] as const;

export function describeTaskKind(kind: string): string {
  return taskKinds.find(({ value }) => value === kind)?.label ?? toLabel(kind);
}

interface RefundWords {
  readonly label: string;
  readonly tone: "good" | "warn" | "bad" | "plain";
}

const refundWords: Readonly<Record<string, RefundWords>> = {
  "as-expected": { label: "As expected", tone: "good" },
  higher: { label: "More than expected", tone: "warn" },
  lower: { label: "Less than expected", tone: "bad" },
  unknown: { label: "Can't be compared", tone: "plain" },
};

export function describeRefundCheck(check: string): RefundWords {
  return refundWords[check] ?? { label: toLabel(check), tone: "plain" };
}
