import type { UserRole } from "./role.ts";

/**
 * The lowest role for each thing, for routes and pages. The roles of actions on a case are in `cases/case-actions.ts`. A
 * test tries every route with every role.
 */
export const requiredRoles = {
  readCases: "viewer",
  readNotifications: "viewer",
  readReconciliation: "viewer",
  followEvents: "viewer",
  /** Raw notifications and gateway responses hold travellers' data. */
  readBodies: "agent",
  readTravellers: "agent",
  reprocessNotification: "supervisor",
  readTasks: "viewer",
  readBulkActions: "viewer",
  /** Every change is compared with the booked flights. */
  importOrders: "supervisor",
  /** And assigning them. */
  closeTasks: "agent",
  readAssignees: "agent",
  /** Bulk actions. Each action requires its own role as well. */
  actOnManyCases: "supervisor",

  readPolicies: "viewer",
  changePolicies: "supervisor",
  /** What sources send and nobody reads. Its examples are masked. */
  readMembers: "agent",
  markMembers: "supervisor",
  readAutomation: "viewer",
  changeAutomation: "supervisor",

  /** The audit names every user who ever did something. */
  readAudit: "admin",
  /** Recipients of outgoing events, and their deliveries. */
  readOutgoingEvents: "supervisor",
  /** Includes resending, pausing and tests, because these make this server call others. */
  changeOutgoingEvents: "admin",

  /** Settings without secrets, and the health of every part. */
  readInstallation: "supervisor",

  /** A notice makes this server call others. */
  manageNotices: "admin",
  readDemoInbox: "viewer",

  manageUsers: "admin",
  /** Filters of the queue under a name. */
  ownViews: "viewer",
  ownSessions: "viewer",
  ownTokens: "viewer",
  /** Listing and revoking the tokens of all users. Nobody can create a token for somebody else. */
  tokensOfOthers: "admin",
} as const satisfies Readonly<Record<string, UserRole>>;
