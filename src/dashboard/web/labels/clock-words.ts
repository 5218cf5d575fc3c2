import { toLabel } from "./state-words.ts";

const ruleWords: Readonly<Record<string, string>> = {
  "airline-deadline": "airline's deadline",
  "payment-time-limit": "payment time limit",
  "departure-48h": "48 h before departure",
  "departure-24h": "24 h before departure",
  departure: "departure",
  "response-target": "agency SLA",
  "traveller-told-14-days": "inform traveller 14 days before (EU or UK)",
  "traveller-told-7-days": "inform traveller 7 days before (EU or UK)",
  "ca-traveller-told-14-days": "inform traveller 14 days before (Canada)",
  "br-traveller-told-72-hours": "inform traveller 72 h before (Brazil)",
  "in-traveller-told-14-days": "inform traveller 14 days before (India)",
  "in-traveller-told-24-hours": "inform traveller 24 h before (India)",
  "us-refund-card": "refund due (US, card)",
  "us-refund-other": "refund due (US)",
  "us-agency-refund-card": "agency refund due (US, card)",
  "us-agency-refund-other": "agency refund due (US)",
  "eu-refund": "refund due (EU or UK)",
  "in-agent-refund": "refund due (India)",
  "agency-refund": "refund due (agency deadline)",
};

export function describeClockRule(rule: string): string {
  return ruleWords[rule] ?? toLabel(rule).toLowerCase();
}
