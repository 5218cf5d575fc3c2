import type { UserRole } from "./role.ts";

/**
 * The least role that each thing takes; that of an action on a case stands with the action, in `cases/case-actions.ts`.
 * Routes and pages name an entry; a test tries every route with every role.
 */
export const requiredRoles = {
  readCases: "viewer",
  readNotifications: "viewer",
  readReconciliation: "viewer",
  followEvents: "viewer",
  /** Raw notifications and gateway responses hold travellers' data. */
  readBodies: "agent",
  reprocessNotification: "supervisor",
  readTasks: "viewer",
  readBulkActions: "viewer",
  /** What was sold is what every change is compared with. */
  importOrders: "supervisor",
  closeTasks: "agent",
  /** One action on many cases; each of them is asked for its own role as well. */
  actOnManyCases: "supervisor",

  readPolicies: "viewer",
  /** Adding a version, and saying which one decides or is tried in the shadow. */
  changePolicies: "supervisor",
  readAutomation: "viewer",
  /** Stopping and resuming all automatic effects. */
  changeAutomation: "supervisor",

  /** It names everybody who ever did something. */
  readAudit: "admin",
  /** Which systems are sent the agency's own events, and what they were sent. */
  readOutgoingEvents: "supervisor",
  /** Also replaying, pausing and sending tests: it makes this side call others. */
  changeOutgoingEvents: "admin",

  manageUsers: "admin",
  ownSessions: "viewer",
  ownTokens: "viewer",
  /** Seeing and revoking the tokens of everybody; nobody makes a token for somebody else. */
  tokensOfOthers: "admin",
} as const satisfies Readonly<Record<string, UserRole>>;
