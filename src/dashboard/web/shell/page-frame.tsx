import { Button, Popover, SegmentedControl, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { type SessionQuery, useSignOut } from "../api/session-end.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { nameZone } from "../labels/moments.ts";
import { OfflineBanner, useOutage } from "./offline-banner.tsx";
import { PageDrawer, type PageLink, PageLinks } from "./page-links.tsx";

interface PageFrameProps {
  readonly brand: string;
  readonly demo: boolean;
  readonly pages: readonly PageLink[];
  /** In the bar, after the links. */
  readonly menu: ReactNode;
  /** Between the bar and the page. */
  readonly banner?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page, both of the dashboard and of the gateway. */
export function PageFrame({ brand, demo, pages, menu, banner, children }: PageFrameProps) {
  const isOffline = useOutage() !== null;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          {brand}
        </Link>
        {demo ? <span className="badge tone-plain">Demo data</span> : null}
        <PageLinks pages={pages} />
        <PageDrawer pages={pages} />
        <ZoneOfTimes place="in-bar" />
        {menu}
      </header>
      <OfflineBanner />
      {banner}
      <main id="main" className="page" tabIndex={-1}>
        <fieldset disabled={isOffline}>{children}</fieldset>
        <ZoneOfTimes place="at-end" />
      </main>
    </>
  );
}

/** Said once on each page, so that each time can do without: in the bar if it has room, else at the end. */
function ZoneOfTimes({ place }: { readonly place: "in-bar" | "at-end" }) {
  const zone = nameZone(new Date());
  return (
    <p className={`zone ${place}`} title="Times of flights are local at the airport">
      Times in {zone}
    </p>
  );
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "Auto" },
] as const;

interface UserMenuProps {
  readonly name: string;
  /** The role, or what the user has signed in with. */
  readonly note: string;
  /** The page about the person, if there is one. */
  readonly accountHref?: string;
  readonly signOut: () => Promise<unknown>;
  readonly session: SessionQuery;
}

export function UserMenu({ name, note, accountHref, signOut, session }: UserMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isOffline = useOutage() !== null;
  const leave = useSignOut(signOut, session);
  return (
    <Popover
      position="bottom-end"
      width={250}
      withinPortal={false}
      trapFocus
      returnFocus
      opened={isOpen}
      onChange={setIsOpen}
    >
      <Popover.Target>
        <UnstyledButton className="user" onClick={() => setIsOpen(!isOpen)}>
          <span>{name}</span>
          <span className="quiet">{note}</span>
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
        {accountHref === undefined ? null : (
          <Button variant="default" component={Link} href={accountHref} onClick={() => setIsOpen(false)}>
            Your account
          </Button>
        )}
        <Button variant="default" disabled={isOffline} loading={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </Button>
        {leave.isError ? <ErrorCallout problem={leave.error} title="You are still signed in" /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}
