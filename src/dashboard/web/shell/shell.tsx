import type { ReactNode } from "react";
import { call } from "../api/api-client.ts";
import { useRead } from "../api/hooks.ts";
import { useLiveUpdates } from "../api/live-updates.tsx";
import { sessionQuery, useSession } from "../api/session.ts";
import { toLabel } from "../labels/state-words.ts";
import { AutomationBanner } from "../policies/automation-switch.tsx";
import { useOutage } from "./offline-banner.tsx";
import { PageFrame, UserMenu } from "./page-frame.tsx";
import { linkedPages } from "./pages-shown.ts";

/** The event stream does not announce everything that is counted. */
const countsIntervalMs = 20_000;

export function Shell({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const { demo, user } = session;
  const counts = useRead("GET /counts", {}, { refetchInterval: countsIntervalMs });
  const links = linkedPages(session).map(({ path, link: { label, count, isRare = false } }) => ({
    href: path,
    label,
    isRare,
    isCurrent: (location: string) => isCurrent(location, path),
    note: <Count of={count === undefined ? 0 : (counts.data?.[count] ?? 0)} />,
  }));
  const menu = (
    <>
      <LiveMark />
      <UserMenu
        name={user.displayName}
        note={toLabel(user.role)}
        accountHref="/account"
        signOut={() => call("DELETE /session", {})}
        session={sessionQuery}
      />
    </>
  );
  return (
    <PageFrame
      brand="Skedchange"
      demo={demo}
      pages={links}
      menu={menu}
      banner={user.sources?.length === 0 ? <NoSource /> : <AutomationBanner />}
    >
      {children}
    </PageFrame>
  );
}

/** Tells a new user of an identity provider that no source is visible yet. */
function NoSource() {
  return (
    <section className="banner tone-warn" role="status" aria-label="No source">
      <p className="banner-title">You see no orders yet</p>
      <p>An admin must say which sources you see.</p>
    </section>
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
