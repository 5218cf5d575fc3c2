import type { HealthFinding } from "../dashboard/installation-ports.ts";

/** What a check has found, in plain words. Contains no credentials. */
export interface Finding extends Pick<HealthFinding, "subject" | "state" | "detail"> {
  /** When what `detail` is about happened last. */
  readonly lastAt?: Date;
  /** What to do. */
  readonly advice?: string;
}

export const addUserAdvice = "npx skedchange users add <name> --role admin";

export const demoDataWarning = {
  detail: "A demo has run on this database: its invented orders are among the cases.",
  advice: "Start with another DATA_DIR or DATABASE_URL.",
};

type FindingOf = (subject: string, detail: string, more?: Pick<Finding, "lastAt" | "advice">) => Finding;

export const ok = findingOf("ok");
export const warning = findingOf("warning");
export const problem = findingOf("problem");
export const off = findingOf("off");

function findingOf(state: Finding["state"]): FindingOf {
  return (subject, detail, more = {}) => ({ subject, state, detail, ...more });
}
