import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { WorkCounts } from "../../count-ports.ts";
import { api } from "../api/api-client.ts";
import { useLiveUpdates } from "../api/live-updates.tsx";
import { sessionKey, useSession } from "../api/session.ts";
import { toLabel } from "../words/state-words.ts";
import { AutomationBanner } from "./automation-switch.tsx";
import { PageFrame, UserMenu } from "./page-frame.tsx";

interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly count?: keyof WorkCounts;
}

const pages: readonly PageLink[] = [
  { href: "/", label: "Queue", count: "needPerson" },
  { href: "/tasks", label: "Tasks", count: "openTasks" },
  { href: "/bulk-actions", label: "Bulk actions" },
  { href: "/blocked", label: "Blocked", count: "blockedOrders" },
  { href: "/quarantine", label: "Quarantine", count: "quarantined" },
  { href: "/policies", label: "Policies" },
];

/** The event stream does not announce everything that is counted. */
const countsIntervalMs = 20_000;

export function Shell({ children }: { readonly children: ReactNode }) {
  const { demo, user } = useSession();
  const counts = useQuery({ queryKey: ["counts"], queryFn: api.readCounts, refetchInterval: countsIntervalMs });
  const links = pages.map(({ href, label, count }) => ({
    href,
    label,
    isCurrent: (location: string) => isCurrent(location, href),
    note: <Count of={count === undefined ? 0 : (counts.data?.[count] ?? 0)} />,
  }));
  const session = { key: sessionKey, none: null };
  const menu = (
    <>
      <LiveMark />
      <UserMenu
        name={user.displayName}
        note={toLabel(user.role)}
        accountHref="/account"
        signOut={api.signOut}
        session={session}
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
  return (
    <span className={`live ${isLive ? "on" : "off"}`} title={isLive ? "Updates automatically" : "Refreshes every 10 s"}>
      <span className="dot" aria-hidden="true" />
      {isLive ? "Live" : "Polling"}
    </span>
  );
}
