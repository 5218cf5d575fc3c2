import type { WorkCounts } from "./count-ports.ts";
import { requiredRoles } from "./people/required-roles.ts";
import type { UserRole } from "./people/role.ts";

/** A page of the agency. */
export interface Page {
  /** The server sends the document of all pages for it. */
  readonly path: string;
  /** Further addresses, at which the page shows parts of itself. */
  readonly parts?: readonly string[];
  readonly title: string;
  /** The title of the document depends on what the page shows. */
  readonly titlesItself?: true;
  /** The least role that may see it. Not given: every role. */
  readonly role?: UserRole;
  /** It concerns the whole installation, so those who see some sources may not. */
  readonly everySource?: true;
  /** In the bar, in the order of the table. */
  readonly link?: {
    readonly label: string;
    readonly count?: keyof WorkCounts;
    /** Stands behind "More". */
    readonly isRare?: true;
    /** In demo mode, to those who see all sources. */
    readonly isOfDemo?: true;
  };
  /** The command in the palette; pressed after `g`, the key opens the page. */
  readonly command?: { readonly title: string; readonly key?: string };
}

export const pages = {
  queue: {
    path: "/",
    title: "Queue",
    link: { label: "Queue", count: "needPerson" },
    command: { title: "Go to the queue", key: "q" },
  },
  case: { path: "/cases/:id", title: "Case", titlesItself: true },
  overview: {
    path: "/overview",
    title: "Overview",
    link: { label: "Overview" },
    command: { title: "Go to the overview", key: "v" },
  },
  tasks: {
    path: "/tasks",
    title: "Tasks",
    link: { label: "Tasks", count: "openTasks" },
    command: { title: "Go to the tasks", key: "t" },
  },
  "bulk-actions": {
    path: "/bulk-actions",
    title: "Bulk actions",
    link: { label: "Bulk actions" },
    command: { title: "Go to the bulk actions", key: "b" },
  },
  "bulk-action": { path: "/bulk-actions/:id", title: "Bulk action" },
  blocked: {
    path: "/blocked",
    title: "Blocked orders",
    link: { label: "Blocked", count: "blockedOrders" },
    command: { title: "Go to the blocked orders", key: "o" },
  },
  quarantine: {
    path: "/quarantine",
    title: "Quarantine",
    link: { label: "Quarantine", count: "quarantined" },
    command: { title: "Go to the quarantine", key: "u" },
  },
  policies: {
    path: "/policies",
    title: "Policies",
    link: { label: "Policies" },
    command: { title: "Go to the policies", key: "p" },
  },
  policy: { path: "/policies/:version", title: "Policy", titlesItself: true },
  "edit-policy": {
    path: "/policies/:version/edit",
    title: "Edit a policy",
    titlesItself: true,
    role: requiredRoles.changePolicies,
  },
  sources: {
    path: "/sources",
    title: "Sources",
    role: requiredRoles.readMembers,
    link: { label: "Sources", isRare: true },
  },
  members: {
    path: "/sources/:source/members",
    title: "What this source sends",
    titlesItself: true,
    role: requiredRoles.readMembers,
  },
  events: {
    path: "/events",
    parts: ["/events/recipients", "/events/recipients/:id", "/events/deliveries", "/events/deliveries/:id"],
    title: "Events",
    titlesItself: true,
    role: requiredRoles.readOutgoingEvents,
    everySource: true,
    link: { label: "Events", isRare: true },
    command: { title: "Go to the outgoing events" },
  },
  notices: {
    path: "/notices",
    title: "Notices",
    role: requiredRoles.manageNotices,
    link: { label: "Notices", isRare: true },
    command: { title: "Go to the notices" },
  },
  health: {
    path: "/health",
    title: "Health and settings",
    role: requiredRoles.readInstallation,
    everySource: true,
    link: { label: "Health", isRare: true },
    command: { title: "Go to the health and settings" },
  },
  people: {
    path: "/people",
    title: "People",
    role: requiredRoles.manageUsers,
    link: { label: "People", isRare: true },
    command: { title: "Go to the people" },
  },
  audit: {
    path: "/audit",
    title: "Audit",
    role: requiredRoles.readAudit,
    link: { label: "Audit", isRare: true },
    command: { title: "Go to the audit" },
  },
  "demo-inbox": {
    path: "/demo/inbox",
    title: "Demo inbox",
    link: { label: "Demo inbox", isRare: true, isOfDemo: true },
  },
  help: {
    path: "/help",
    title: "Help",
    link: { label: "Help", isRare: true },
    command: { title: "Go to the help" },
  },
  account: {
    path: "/account",
    title: "Your account",
    command: { title: "Go to your account", key: "m" },
  },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof pages;

export const pageNames = Object.keys(pages) as readonly PageName[];

/** Each loads the same document, which shows the page of its address. */
export const agencyPaths = Object.values<Page>(pages).flatMap(({ path, parts = [] }) => [path, ...parts]);
