import { isFinished, needingPerson, type ShownState, shownStates, storedStateOf } from "../../../cases/lifecycle.ts";
import { partsOf } from "../../../cases/outcome-words.ts";
import type { SeverityName } from "../../../itinerary/severity.ts";
import { describeActor } from "../../../kernel/actor.ts";
import type { CaseView } from "../api/responses.ts";

export { describeActor };

export type Tone = "good" | "warn" | "bad" | "busy" | "plain";

/** A state in a word and in a sentence. */
export interface Words {
  readonly label: string;
  readonly tone: Tone;
  /** One sentence. */
  readonly meaning: string;
}

const caseStates: Readonly<Record<ShownState, Words>> = {
  received: {
    label: "Received",
    tone: "busy",
    meaning: "A notification was received. The booking has not been read yet.",
  },
  checking: { label: "Checking", tone: "busy", meaning: "The booking is being read, then the policy decides." },
  accepting: { label: "Accepting", tone: "busy", meaning: "The change is being accepted at the gateway." },
  cancelling: { label: "Cancelling", tone: "busy", meaning: "The order is being cancelled at the gateway." },
  "awaiting-agent": { label: "Needs action", tone: "warn", meaning: "Waiting for an agent." },
  "accept-pending": {
    label: "Accept pending",
    tone: "busy",
    meaning: "The change will be accepted when the time to stop it is over.",
  },
  "cancel-pending": {
    label: "Cancel pending",
    tone: "busy",
    meaning: "The order will be cancelled when the time to stop it is over.",
  },
  "ask-traveller": {
    label: "Ask traveller",
    tone: "warn",
    meaning: "An agent must ask the traveller, then record it here.",
  },
  "awaiting-traveller": {
    label: "Traveller asked",
    tone: "warn",
    meaning: "The traveller was asked and has not answered.",
  },
  snoozed: { label: "Snoozed", tone: "plain", meaning: "Re-checked when the snooze ends." },
  done: { label: "Done", tone: "good", meaning: "Carried out at the gateway." },
  "resolved-elsewhere": {
    label: "Settled elsewhere",
    tone: "good",
    meaning: "The change was settled elsewhere, or the airline withdrew it.",
  },
  closed: { label: "Closed", tone: "plain", meaning: "Ended without accepting or cancelling." },
};

const effectStates: Readonly<Record<string, Words>> = {
  planned: { label: "Planned", tone: "busy", meaning: "Nothing has been sent yet." },
  sent: { label: "Sent", tone: "busy", meaning: "Sent to the gateway; no response yet." },
  succeeded: { label: "Succeeded", tone: "good", meaning: "The gateway carried it out." },
  failed: { label: "Failed", tone: "bad", meaning: "The gateway did not carry it out." },
  unknown: {
    label: "Outcome unknown",
    tone: "warn",
    meaning: "It may or may not have been carried out. It is not repeated until that is known.",
  },
};

export function describeCaseState(state: string): Words {
  return caseStates[state as ShownState] ?? { label: toLabel(state), tone: "plain", meaning: "" };
}

export function describeEffectState(state: string): Words {
  return effectStates[state] ?? { label: toLabel(state), tone: "plain", meaning: "" };
}

/** As `describeEffectState`; with what its state does not say. */
export function describeEffect(effect: Pick<CaseView["effects"][number], "state" | "results" | "settled">): Words {
  const { state, results, settled } = effect;
  if (settled !== null) {
    return settled.carriedOut
      ? { label: "Marked as carried out", tone: "good", meaning: "A person said so. The gateway has not confirmed it." }
      : {
          label: "Marked as not carried out",
          tone: "bad",
          meaning: "A person said so. The gateway has not confirmed it.",
        };
  }
  return partsOf(results) === null ? describeEffectState(state) : partlyCarriedOut;
}

const partlyCarriedOut: Words = {
  label: "Carried out in part",
  tone: "warn",
  meaning: "The gateway carried it out for some booking references only.",
};

const finishedStates = shownStates.filter((state) => isFinished(storedStateOf(state)));
const movingStates = shownStates.filter((state) => !finishedStates.includes(state) && !needsPerson(state));

/** For the filter of the queue. */
export const stateGroups = [
  { value: "waiting", label: "Needs action", states: needingPerson },
  { value: "moving", label: "In progress", states: movingStates },
  { value: "open", label: "Open", states: [...needingPerson, ...movingStates] },
  { value: "finished", label: "Finished", states: finishedStates },
  { value: "all", label: "All", states: [] },
] as const satisfies readonly {
  readonly value: string;
  readonly label: string;
  readonly states: readonly ShownState[];
}[];

/** As one filter: who looks for them wants to stop one. */
export const pendingStates = "accept-pending,cancel-pending";

export function isPending(state: string): boolean {
  return pendingStates.split(",").includes(state);
}

export function needsPerson(state: string): boolean {
  return needingPerson.some((each) => each === state);
}

/** @param states one or several, with commas between them */
export function describeCaseStates(states: string): string {
  return states
    .split(",")
    .map((state) => describeCaseState(state).label)
    .join(" or ");
}

const decisionWords: Readonly<Record<string, string>> = {
  accept: "Accept",
  cancel: "Cancel",
  review: "Needs review",
  "ask-traveller": "Ask the traveller",
  wait: "Wait",
  none: "No action",
};

export function describeDecision(action: string): string {
  return decisionWords[action] ?? toLabel(action);
}

/** Names who decided; a policy with its version, as far as it is known. */
export function describeDecider({ decidedBy, token, versions }: Decided): string {
  const version = versions["policy"];
  if (decidedBy !== "policy" || version === undefined) return describeActor(decidedBy, token);
  return `policy ${[versions["policyName"] ?? "", version.slice(0, 12)].join(" ").trim()}`;
}

interface Decided {
  readonly decidedBy: string;
  readonly token: string | null;
  readonly versions: Readonly<Record<string, string>>;
}

/** `person:ann` → `ann`; null if the actor is no person. */
export function usernameOf(actor: string | null): string | null {
  return actor?.startsWith("person:") === true ? actor.slice("person:".length) : null;
}

const queueWords: Readonly<Record<string, string>> = {
  agent: "Agents",
  reschedule: "Reschedule desk",
  legal: "Legal review",
  ticket: "Ticketing",
};

export function describeQueue(queue: string): string {
  return queueWords[queue] ?? toLabel(queue);
}

export const severityWords: Readonly<Record<SeverityName, string>> = {
  none: "None",
  improvement: "Improvement",
  minor: "Minor",
  major: "Major",
  critical: "Critical",
};

/** 0 (most urgent) to 9. */
export function describePriority(priority: number): string {
  return priority <= 2 ? "Urgent" : priority <= 5 ? "Soon" : "Later";
}

/** `fixed_code.of-words` → `Fixed code of words`. */
export function toLabel(code: string): string {
  const words = code.replaceAll(/[-_.]/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The choices of a filter; the value is what the server takes. */
export const assigneeChoices = [
  { value: "", label: "All assignees" },
  { value: "me", label: "Assigned to me" },
  { value: "none", label: "Unassigned" },
] as const;
