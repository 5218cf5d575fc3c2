import "./page-links.css";
import { Burger, Drawer, Popover, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";

export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: (location: string) => boolean;
  readonly note?: ReactNode;
  /** Whether it stands behind "More" on wide screens. */
  readonly isRare?: boolean;
}

interface PageLinksProps {
  readonly pages: readonly PageLink[];
}

/** In the bar on wide screens; the rare ones behind "More". */
export function PageLinks({ pages }: PageLinksProps) {
  const [location] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const rare = pages.filter(({ isRare }) => isRare === true);
  const current = rare.find(({ isCurrent }) => isCurrent(location));
  return (
    <nav aria-label="Pages">
      <Links pages={pages.filter(({ isRare }) => isRare !== true)} />
      {rare.length === 0 ? null : (
        <Popover
          opened={isOpen}
          onChange={setIsOpen}
          position="bottom-end"
          withinPortal={false}
          withRoles={false}
          trapFocus
          returnFocus
        >
          <Popover.Target>
            <UnstyledButton
              aria-expanded={isOpen}
              className={`more-pages ${current === undefined ? "" : "current"}`}
              onClick={() => setIsOpen(!isOpen)}
            >
              {current === undefined ? "More" : current.label}
              <span aria-hidden="true"> ▾</span>
              {current === undefined ? null : <span className="visually-hidden">, more pages</span>}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown className="page-list" role="group" aria-label="More pages">
            <Links pages={rare} onOpen={() => setIsOpen(false)} />
          </Popover.Dropdown>
        </Popover>
      )}
    </nav>
  );
}

/** Behind a button on small screens. */
export function PageDrawer({ pages }: PageLinksProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Burger
        className="page-drawer"
        size="sm"
        opened={isOpen}
        aria-label="Pages"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      />
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        size="xs"
        title="Pages"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <nav className="page-list" aria-label="Pages">
          <Links pages={pages} onOpen={() => setIsOpen(false)} />
        </nav>
      </Drawer>
    </>
  );
}

function Links({ pages, onOpen }: PageLinksProps & { readonly onOpen?: () => void }) {
  const [location] = useLocation();
  return pages.map(({ href, label, isCurrent, note }) => (
    <Link key={href} href={href} aria-current={isCurrent(location) ? "page" : undefined} onClick={onOpen}>
      {label}
      {note}
    </Link>
  ));
}
