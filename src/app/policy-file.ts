import { readFileSync } from "node:fs";
import { AppError } from "../kernel/app-error.ts";
import { formatPolicyProblem, loadPolicy } from "../policy/load-policy.ts";
import type { Policy } from "../policy/policy.ts";

/** The first is the default. */
export const shippedPolicyNames = ["cautious", "balanced", "airline-thresholds", "observe-only"] as const;

export interface PolicyFile {
  readonly policy: Policy;
  readonly text: string;
  readonly name: string;
}

/**
 * @param chosen a file or the name of a shipped policy; null for the default
 * @throws `policy.unreadable`, or `policy.invalid` with every problem, line by line
 */
export function readPolicyFile(chosen: string | null): PolicyFile {
  const shipped = chosen === null ? shippedPolicyNames[0] : shippedPolicyNames.find((name) => name === chosen);
  const file = shipped === undefined ? chosen! : new URL(`../policy/shipped/${shipped}.yaml`, import.meta.url);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new AppError(
      "policy.unreadable",
      `The policy file ${chosen} cannot be read. Check its path; shipped policies are ${shippedPolicyNames.join(", ")}.`,
      { cause: error },
    );
  }
  const name = shipped === undefined ? chosen! : `the shipped policy ${shipped}`;
  return { policy: readPolicyText(text, shipped === undefined ? chosen! : `${shipped}.yaml`), text, name };
}

/** @throws `policy.invalid` */
export function readPolicyText(text: string, name: string): Policy {
  const loaded = loadPolicy(text, name);
  if (!loaded.ok) throw new AppError("policy.invalid", loaded.problems.map(formatPolicyProblem).join("\n"));
  return loaded.policy;
}
