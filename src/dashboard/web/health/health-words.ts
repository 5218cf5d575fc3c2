import { counted } from "../../../kernel/counted.ts";
import type { HealthRow } from "../api/responses.ts";
import type { Tone } from "../labels/state-words.ts";

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

export const healthStateWords: Readonly<Record<HealthRow["state"], StateWords>> = {
  problem: { label: "Problem", tone: "bad" },
  warning: { label: "Warning", tone: "warn" },
  ok: { label: "OK", tone: "good" },
  off: { label: "Not used", tone: "plain" },
};

const subjects: Readonly<Record<string, string>> = {
  "this process": "This process",
  settings: "Settings",
  postgres: "Embedded PostgreSQL",
  data: "Data folder",
  database: "Database",
  queue: "Queue",
  processes: "Processes",
  cases: "Cases and tasks",
  backlog: "Backlog",
  quarantine: "Quarantine",
  automation: "Automation",
  audit: "Audit chain",
  api: "API token",
  server: "Address of this process",
  "sign-in": "Identity provider",
};

const subjectsOfSources: Readonly<Record<string, string>> = {
  source: "Source",
  policy: "Policy of",
  gateway: "Gateway of",
  notifications: "Notifications of",
  credentials: "Gateway credentials of",
};

/** `credentials default` is `Gateway credentials of default`. */
export function describeSubject(subject: string): string {
  const known = subjects[subject];
  if (known !== undefined) return known;
  const space = subject.indexOf(" ");
  const ofSource = subjectsOfSources[subject.slice(0, space)];
  return ofSource === undefined ? subject : `${ofSource} ${subject.slice(space + 1)}`;
}

/** The worst first; what is equally bad stays in the order in which it is examined. */
export function sortByState(items: readonly HealthRow[]): readonly HealthRow[] {
  const order = Object.keys(healthStateWords);
  return items.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

/** `1 problem and 2 warnings`, `Everything works`. */
export function summariseHealth(items: readonly HealthRow[]): StateWords {
  const counts = (["problem", "warning"] as const).flatMap((state) => {
    const count = items.filter((item) => item.state === state).length;
    return count === 0 ? [] : [{ state, text: counted(count, state) }];
  });
  const [worst] = counts;
  if (worst === undefined) return { label: "Everything works", tone: "good" };
  return { label: counts.map(({ text }) => text).join(" and "), tone: healthStateWords[worst.state].tone };
}
