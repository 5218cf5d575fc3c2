import { sentence } from "./state-words.ts";

/** The rules that say by when somebody must have decided or done something, in a few words. */
const ruleWords: Readonly<Record<string, string>> = {
  "payment-time-limit": "payment of the held order",
  "departure-48h": "48 h before departure",
  "departure-24h": "24 h before departure",
  departure: "departure",
  "response-target": "the agency's own target",
  "traveller-told-14-days": "traveller told 14 days before (EU, UK)",
  "traveller-told-7-days": "traveller told 7 days before (EU, UK)",
  "ca-traveller-told-14-days": "traveller told 14 days before (Canada)",
  "br-traveller-told-72-hours": "traveller told 72 h before (Brazil)",
  "in-traveller-told-14-days": "traveller told 14 days before (India)",
  "in-traveller-told-24-hours": "traveller told 24 h before (India)",
  "us-refund-card": "refund due (US, card)",
  "us-refund-other": "refund due (US)",
  "us-agency-refund-card": "refund by the agency due (US, card)",
  "us-agency-refund-other": "refund by the agency due (US)",
  "eu-refund": "refund due (EU, UK)",
  "in-agent-refund": "refund due (India)",
  "agency-refund": "refund due (the agency's own term)",
};

/** The rule of a clock; one that this page has no words for is shown as it is called. */
export function describeClockRule(rule: string): string {
  return ruleWords[rule] ?? sentence(rule).toLowerCase();
}
