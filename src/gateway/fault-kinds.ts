import { z } from "zod";
import { operationNames } from "../contract/operations/registry.ts";
import { spellings } from "../contract/other-spellings.ts";
import { changeRequestSchema } from "./change-request.ts";

/** A fault to inject into the next calls of an operation, responses about an order, or notifications. */
export type Fault = z.output<typeof faultSchema>;
export type FaultMode = Fault["mode"];

/** Whether it affects the transport of a response, its meaning, or notifications. */
export type FaultFamily = "transport" | "meaning" | "notification";

const scope = {
  /** Default: any order. */
  orderId: z.string().min(1).max(64).optional(),
  /** How often it is injected. */
  times: z.number().int().min(1).max(10_000).default(1),
};

/** The operation is carried out or not, and its response is disturbed. */
const transport = {
  operation: z.enum(operationNames),
  ...scope,
  /** Whether the operation is carried out and committed before it fails. */
  afterEffect: z.boolean().default(false),
};
const delayMs = z.number().int().min(0).max(600_000).default(1_000);

const transportModes = ["http-500", "timeout", "reset", "malformed", "wrong-content-type", "truncated-gzip"] as const;

const later = () => changeRequestSchema.parse({ kind: "retime", departureMinutes: 180 });

/**
 * The body of `POST /control/faults`; see `faultKinds`. Faults are deterministic, and live in the memory of one
 * process.
 */
export const faultSchema = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.enum(transportModes), ...transport }),
  z.strictObject({ mode: z.enum(["delay", "slow-drip"]), ...transport, delayMs }),
  z.strictObject({ mode: z.literal("respelled"), ...transport, spelling: z.enum(spellings).default("other-names") }),
  z.strictObject({
    mode: z.literal("stale-status"),
    ...scope,
    seconds: z.number().int().min(1).max(86_400).default(60),
  }),
  z.strictObject({
    mode: z.enum(["blank-pnr-status", "status-without-flags", "status-without-change", "leftover-accepted"]),
    ...scope,
  }),
  z.strictObject({
    mode: z.literal("replaced-proposal"),
    ...scope,
    at: z.enum(["read", "accept"]).default("read"),
    change: changeRequestSchema.default(later),
  }),
  z.strictObject({ mode: z.literal("mixed-results"), ...scope }),
  z.strictObject({ mode: z.literal("ocn-duplicated"), ...scope, copies: z.number().int().min(1).max(20).default(1) }),
  z.strictObject({
    mode: z.literal("ocn-respelled"),
    ...scope,
    spelling: z.enum(spellings).exclude(["error-list"]).default("other-names"),
  }),
  z.strictObject({ mode: z.enum(["ocn-dropped", "ocn-reordered", "ocn-echoed"]), ...scope }),
]);

export interface FaultKind {
  readonly mode: FaultMode;
  readonly family: FaultFamily;
  readonly description: string;
}

const descriptions: Readonly<Record<FaultMode, readonly [FaultFamily, string]>> = {
  "http-500": ["transport", "HTTP 500 with an error body."],
  timeout: ["transport", "No response, for as long as the caller waits."],
  reset: ["transport", "The connection is reset."],
  malformed: ["transport", "HTTP 200 and half of a response."],
  "wrong-content-type": ["transport", "HTTP 200 and a web page in the place of the response."],
  "truncated-gzip": ["transport", "HTTP 200 and a gzip stream that breaks off half way."],
  delay: ["transport", "The response, delayMs late."],
  "slow-drip": ["transport", "The response in twenty pieces, delayMs apart."],
  respelled: ["transport", "The right response or error, as other gateways spell it: see spelling."],
  "stale-status": [
    "meaning",
    "After a successful accept or cancel, AirReservationStatus responds for so many seconds as if it had not happened.",
  ],
  "blank-pnr-status": ["meaning", "AirReservationStatus responds with a blank PnrStatus."],
  "status-without-flags": ["meaning", "AirReservationStatus shows the change without AmendmentsActions."],
  "status-without-change": [
    "meaning",
    "AirReservationStatus shows the flags, but no changed flight and no new values.",
  ],
  "leftover-accepted": [
    "meaning",
    "AirReservationStatus shows ScheduleChangeStatus Accepted, as left over from an earlier change, while one is pending.",
  ],
  "replaced-proposal": [
    "meaning",
    "The airline makes another change: right after AirReservationStatus was read, or right before an accept takes effect.",
  ],
  "mixed-results": [
    "meaning",
    "Accept and cancel take effect for the first booking reference that is named, and respond with FAILED for the others.",
  ],
  "ocn-duplicated": ["notification", "The notification of a change is sent again as often as copies says."],
  "ocn-respelled": ["notification", "The notification of a change is spelled as other gateways do: see spelling."],
  "ocn-dropped": ["notification", "The notification of a change is not sent."],
  "ocn-reordered": ["notification", "The notification of a change is sent after that of the order's next change."],
  "ocn-echoed": ["notification", "A notification is sent because of an accept or a cancel that succeeded."],
};

export const faultKinds: readonly FaultKind[] = Object.entries(descriptions).map(([mode, [family, description]]) => ({
  mode: mode as FaultMode,
  family,
  description,
}));
