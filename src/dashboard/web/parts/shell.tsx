import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { WorkCounts } from "../../count-ports.ts";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import { useLiveUpdates } from "../api/live-updates.tsx";
import type { Session } from "../api/responses.ts";
import { sessionKey, useSession } from "../api/session.ts";
import { toLabel } from "../words/state-words.ts";
import { AutomationBanner } from "./automation-switch.tsx";
import { useOutage } from "./offline-banner.tsx";
import { PageFrame, UserMenu } from "./page-frame.tsx";
import { forgetSearch } from "./queue-filters.ts";

interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly count?: keyof WorkCounts;
  /** Who has it behind "More". Without it, it stands in the bar for everybody. */
  readonly rareFor?: UserRole;
  readonly isShown?: (session: Session) => boolean;
}

const pages: readonly PageLink[] = [
  { href: "/", label: "Queue", count: "needPerson" },
  { href: "/overview", label: "Overview" },
  { href: "/tasks", label: "Tasks", count: "openTasks" },
  { href: "/bulk-actions", label: "Bulk actions" },
  { href: "/blocked", label: "Blocked", count: "blockedOrders" },
  { href: "/quarantine", label: "Quarantine", count: "quarantined" },
  { href: "/policies", label: "Policies" },
  { href: "/notices", label: "Notices", rareFor: requiredRoles.manageNotices },
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

/** The event stream does not announce everything that is counted. */
const countsIntervalMs = 20_000;

export function Shell({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { demo, user } = session;
  const counts = useQuery({ queryKey: ["counts"], queryFn: api.readCounts, refetchInterval: countsIntervalMs });
  const mine = pages.filter(
    ({ rareFor = "viewer", isShown }) => isRoleAtLeast(user.role, rareFor) && isShown?.(session) !== false,
  );
  const links = mine.map(({ href, label, count, rareFor }) => ({
    href,
    label,
    isRare: rareFor !== undefined,
    isCurrent: (location: string) => isCurrent(location, href),
    note: <Count of={count === undefined ? 0 : (counts.data?.[count] ?? 0)} />,
  }));
  const menu = (
    <>
      <LiveMark />
      <UserMenu
        name={user.displayName}
        note={toLabel(user.role)}
        accountHref="/account"
        signOut={() => {
          forgetSearch();
          return api.signOut();
        }}
        session={{ key: sessionKey, none: null }}
      />
    </>
  );
  return (
    <PageFrame brand="Skedchange" demo={demo} pages={links} menu={menu} banner={<AutomationBanner />}>
      {children}
    </PageFrame>
  );
}

function Count({ of }: { readonly of: number }) {
  if (of === 0) return null;
  return (
    <span className="count">
      {of.toLocaleString("en")}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}

function isCurrent(location: string, href: string): boolean {
  return href === "/" ? location === "/" || location.startsWith("/cases/") : location.startsWith(href);
}

function LiveMark() {
  const { isLive } = useLiveUpdates();
  if (useOutage() !== null) {
    return (
      <span className="live none" title="The server cannot be reached">
        <span className="dot" aria-hidden="true" />
        Offline
      </span>
    );
  }
  return (
    <span className={`live ${isLive ? "on" : "off"}`} title={isLive ? "Updates automatically" : "Refreshes every 10 s"}>
      <span className="dot" aria-hidden="true" />
      {isLive ? "Live" : "Polling"}
    </span>
  );
}
