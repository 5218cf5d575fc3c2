import type { Policy } from "../policy/policy.ts";
import type { CaseTiming } from "./timing.ts";

/** What counts for every order of one source. */
export interface SourceSettings {
  readonly policy: Policy;
  /** A version that is only tried beside the one in force; null when there is none. */
  readonly shadow: Policy | null;
  /** Whether the customers have agreed beforehand that changes may be accepted. */
  readonly customerAgreement: boolean;
  readonly timing: CaseTiming;
  /** Versions of the data that decisions rest on, kept with each of them. */
  readonly versions: Readonly<Record<string, string>>;
}
