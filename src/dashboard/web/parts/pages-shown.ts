import type { WorkCounts } from "../../count-ports.ts";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import type { Session } from "../api/responses.ts";

/** A page of the bar. */
interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly count?: keyof WorkCounts;
  /** Who has it behind "More". Without it, it stands in the bar for everybody. */
  readonly rareFor?: UserRole;
  readonly isShown?: (session: Session) => boolean;
}

export const pages: readonly PageLink[] = [
  { href: "/", label: "Queue", count: "needPerson" },
  { href: "/overview", label: "Overview" },
  { href: "/tasks", label: "Tasks", count: "openTasks" },
  { href: "/bulk-actions", label: "Bulk actions" },
  { href: "/blocked", label: "Blocked", count: "blockedOrders" },
  { href: "/quarantine", label: "Quarantine", count: "quarantined" },
  { href: "/policies", label: "Policies" },
  {
    href: "/sources",
    label: "Sources",
    rareFor: "agent",
    isShown: ({ user }) => isRoleAtLeast(user.role, requiredRoles.readMembers),
  },
  {
    href: "/events",
    label: "Events",
    rareFor: requiredRoles.readOutgoingEvents,
    isShown: ({ user }) => user.sources === null,
  },
  { href: "/notices", label: "Notices", rareFor: requiredRoles.manageNotices },
  {
    href: "/health",
    label: "Health",
    rareFor: requiredRoles.readInstallation,
    isShown: ({ user }) => user.sources === null,
  },
  { href: "/people", label: "People", rareFor: requiredRoles.manageUsers },
  { href: "/audit", label: "Audit", rareFor: requiredRoles.readAudit },
  {
    href: "/demo/inbox",
    label: "Demo inbox",
    rareFor: "viewer",
    isShown: ({ demo, user }) => demo && user.sources === null,
  },
  { href: "/help", label: "Help", rareFor: "viewer" },
];

export function maySee({ rareFor = "viewer", isShown }: PageLink, session: Session): boolean {
  return isRoleAtLeast(session.user.role, rareFor) && isShown?.(session) !== false;
}

/** Also for a page that is not in the bar. */
export function mayOpen(href: string, session: Session): boolean {
  const page = pages.find((each) => each.href === href);
  return page === undefined || maySee(page, session);
}
