import { Button, Popover, SegmentedControl, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { gatewayApi } from "./gateway-api.ts";

export const signedInKey = ["signed-in"] as const;

const pages = [
  { href: "/health", label: "Health", isCurrent: (at: string) => at.startsWith("/health") },
  { href: "/", label: "Recipients", isCurrent: (at: string) => at === "/" || at.startsWith("/recipients") },
  { href: "/deliveries", label: "Deliveries", isCurrent: (at: string) => at.startsWith("/deliveries") },
] as const;

/** What every page of the gateway side has around it. */
export function GatewayShell({ demo, children }: { readonly demo: boolean; readonly children: ReactNode }) {
  const [location] = useLocation();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Skedchange gateway
        </Link>
        {demo ? <span className="badge tone-plain">Demo data</span> : null}
        <nav aria-label="Pages">
          {pages.map(({ href, label, isCurrent }) => (
            <Link key={href} href={href} aria-current={isCurrent(location) ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <OperatorMenu />
      </header>
      <main id="main" className="page" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "Auto" },
] as const;

function OperatorMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const queryClient = useQueryClient();
  const signOut = async (): Promise<void> => {
    await gatewayApi.signOut();
    queryClient.setQueryData(signedInKey, false);
    // The next person at this screen must not see what this one has read.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== signedInKey[0] });
  };
  return (
    <Popover position="bottom-end" width={250} withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className="user">
          <span>Operator</span>
          <span className="quiet">Control token</span>
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
