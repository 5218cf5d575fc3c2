import { Button, Popover, SegmentedControl, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import type { WorkCounts } from "../../count-ports.ts";
import { api } from "../api/api-client.ts";
import { useLiveUpdates } from "../api/live-updates.tsx";
import { sessionKey, useSession } from "../api/session.ts";
import { sentence } from "../words/state-words.ts";
import { AutomationBanner } from "./automation-switch.tsx";

interface PageLink {
  readonly href: string;
  readonly label: string;
  /** What waits there. */
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

/** Not everything that is counted is announced. */
const countsIntervalMs = 20_000;

/** What every page has around it. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const { demo } = useSession();
  const counts = useQuery({ queryKey: ["counts"], queryFn: api.readCounts, refetchInterval: countsIntervalMs });
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Skedchange
        </Link>
        {demo ? <span className="badge tone-plain">Demo data</span> : null}
        <nav aria-label="Pages">
          {pages.map(({ href, label, count }) => (
            <Link key={href} href={href} aria-current={isCurrent(location, href) ? "page" : undefined}>
              {label}
              <Count of={count === undefined ? 0 : (counts.data?.[count] ?? 0)} />
            </Link>
          ))}
        </nav>
        <LiveMark />
        <UserMenu />
      </header>
      <AutomationBanner />
      <main id="main" className="page" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** How many wait there; nothing when none does. */
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
    <span
      className={`live ${isLive ? "on" : "off"}`}
      title={isLive ? "Changes appear by themselves" : "The list is read again every 10 s"}
    >
      <span className="dot" aria-hidden="true" />
      {isLive ? "Live" : "Polling"}
    </span>
  );
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "Auto" },
] as const;

function UserMenu() {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const signOut = async (): Promise<void> => {
    await api.signOut();
    queryClient.setQueryData(sessionKey, null);
    // The next person at this screen must not see what this one has read.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  };
  return (
    <Popover position="bottom-end" width={250} withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className="user">
          <span>{user.displayName}</span>
          <span className="quiet">{sentence(user.role)}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className="user-menu" aria-label="You">
        <span className="quiet" id="theme">
          Theme
        </span>
        <SegmentedControl
          aria-labelledby="theme"
          fullWidth
          size="xs"
          data={[...schemes]}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme)}
        />
        <Button variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
