import type { SeverityName } from "../../../itinerary/severity.ts";

/** How a state looks: what it asks of people. */
export type Tone = "good" | "warn" | "bad" | "busy" | "plain";

interface Words {
  readonly label: string;
  readonly tone: Tone;
  /** One sentence that says what it means. */
  readonly meaning: string;
}

const caseStates: Readonly<Record<string, Words>> = {
  received: {
    label: "Received",
    tone: "busy",
    meaning: "A notification came in; the reservation has not been read yet.",
  },
  checking: { label: "Checking", tone: "busy", meaning: "The reservation's status is being read and decided on." },
  accepting: { label: "Accepting", tone: "busy", meaning: "The change is being accepted at the gateway." },
  cancelling: { label: "Cancelling", tone: "busy", meaning: "The order is being cancelled at the gateway." },
  "awaiting-agent": { label: "Needs a person", tone: "warn", meaning: "Somebody has to decide." },
  "awaiting-traveller": {
    label: "Asked traveller",
    tone: "warn",
    meaning: "The traveller was asked and has not answered.",
  },
  snoozed: { label: "Put off", tone: "plain", meaning: "Looked at again at the time shown." },
  done: { label: "Done", tone: "good", meaning: "Carried out at the gateway." },
  "resolved-elsewhere": {
    label: "Settled elsewhere",
    tone: "good",
    meaning: "Somebody else settled the change, or the airline took it back.",
  },
  closed: { label: "Closed", tone: "plain", meaning: "Ended without a call to the gateway." },
};

const effectStates: Readonly<Record<string, Words>> = {
  planned: { label: "Planned", tone: "busy", meaning: "Written down; nothing has been sent." },
  sent: { label: "Sent", tone: "busy", meaning: "Sent to the gateway; no answer yet." },
  succeeded: { label: "Succeeded", tone: "good", meaning: "The gateway has done it." },
  failed: { label: "Failed", tone: "bad", meaning: "The gateway has not done it." },
  unknown: {
    label: "Outcome unknown",
    tone: "warn",
    meaning: "It may or may not have happened. It is never repeated blindly.",
  },
};

export function describeCaseState(state: string): Words {
  return caseStates[state] ?? { label: sentence(state), tone: "plain", meaning: "" };
}

export function describeEffectState(state: string): Words {
  return effectStates[state] ?? { label: sentence(state), tone: "plain", meaning: "" };
}

/** The groups of states by which a desk works, for the filter. */
export const stateGroups = [
  { value: "all", label: "All", states: [] },
  { value: "waiting", label: "Needs a person", states: ["awaiting-agent"] },
  {
    value: "moving",
    label: "In progress",
    states: ["received", "checking", "accepting", "cancelling", "awaiting-traveller", "snoozed"],
  },
  { value: "finished", label: "Finished", states: ["done", "resolved-elsewhere", "closed"] },
] as const satisfies readonly { readonly value: string; readonly label: string; readonly states: readonly string[] }[];

const decisionWords: Readonly<Record<string, string>> = {
  accept: "Accept",
  cancel: "Cancel",
  review: "A person decides",
  "ask-traveller": "Ask the traveller",
  wait: "Wait",
  none: "No call",
};

export function describeDecision(action: string): string {
  return decisionWords[action] ?? sentence(action);
}

/** `policy` and `person:ann` as people say it. */
export function describeActor(actor: string): string {
  if (actor === "policy") return "the policy";
  if (actor === "worker") return "Skedchange";
  if (actor === "receiver") return "the gateway";
  if (actor === "shipped") return "Skedchange";
  if (actor === "file") return "a file";
  return actor.startsWith("person:") ? actor.slice("person:".length) : actor;
}

/** The user name in `person:ann`; null for everybody who is no person. */
export function usernameOf(actor: string | null): string | null {
  return actor?.startsWith("person:") === true ? actor.slice("person:".length) : null;
}

const queueWords: Readonly<Record<string, string>> = {
  agent: "Agents",
  reschedule: "Reschedule desk",
  legal: "Legal questions",
  ticket: "Tickets",
};

export function describeQueue(queue: string): string {
  return queueWords[queue] ?? sentence(queue);
}

export const severityWords: Readonly<Record<SeverityName, string>> = {
  none: "None",
  improvement: "Improvement",
  minor: "Minor",
  major: "Major",
  critical: "Critical",
};

/** `fixed_code.of-words` → `Fixed code of words`. */
export function sentence(code: string): string {
  const words = code.replaceAll(/[-_.]/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
