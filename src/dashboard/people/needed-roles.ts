import type { UserRole } from "./role.ts";

/**
 * The least role that each thing takes: the only place that says who may do what. Routes name an entry and hand its
 * role to `requireRole`; a test tries every entry with every role.
 */
export const neededRoles = {
  readCases: "viewer",
  readNotifications: "viewer",
  readReconciliation: "viewer",
  followEvents: "viewer",
  /** Raw notifications and gateway answers hold travellers' data. */
  readBodies: "agent",
  replayNotification: "supervisor",

  readPolicies: "viewer",
  /** Adding a version, and saying which one decides or is tried in the shadow. */
  changePolicies: "supervisor",

  manageUsers: "admin",
  ownTokens: "viewer",
  /** Seeing and revoking the tokens of everybody; nobody makes a token for somebody else. */
  tokensOfOthers: "admin",
} as const satisfies Readonly<Record<string, UserRole>>;

/** The least role for each action on a case. What cannot be taken back, or declares an effect settled, takes more. */
export const neededCaseActionRoles = {
  accept: "agent",
  close: "agent",
  recheck: "agent",
  cancel: "supervisor",
  "confirm-effect": "supervisor",
  "refute-effect": "supervisor",
} as const satisfies Readonly<Record<string, UserRole>>;
