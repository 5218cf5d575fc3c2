import type { OwnAddresses } from "../contract/addressee.ts";
import type { GatewayCapabilities } from "../contract/gateway-capabilities.ts";
import type { MemberMarks } from "../itinerary/member-marks.ts";
import type { InformChoice } from "../policy/inform.ts";
import type { Policy } from "../policy/policy.ts";
import type { Learning } from "./learning.ts";
import type { CaseTiming } from "./timing.ts";

export interface SourceSettings {
  /** What its gateway promises. */
  readonly gateway: GatewayCapabilities;
  readonly policy: Policy;
  /** A version that is only compared with the active one; null if there is none. */
  readonly shadow: Policy | null;
  /** Whether customers have agreed in advance that changes may be accepted. */
  readonly customerAgreement: boolean;
  /** Who tells travellers of accepted and cancelled changes, where the rule that decided does not say. */
  readonly inform: InformChoice;
  /** At which addresses no traveller of it is reached. */
  readonly ownAddresses: OwnAddresses;
  /** What of its views nobody reads and is harmless. */
  readonly marks: MemberMarks;
  /** How far it has learned; null or missing if it does not. */
  readonly learning?: Learning | null;
  readonly timing: CaseTiming;
  /** Versions of the data behind decisions, stored with each of them. */
  readonly versions: Readonly<Record<string, string>>;
}
