import type { ReactNode } from "react";
import { PageFrame, UserMenu } from "../shell/page-frame.tsx";
import { gatewaySession } from "./gateway-api.ts";

export const signedInQuery = { key: ["signed-in"], none: false } as const;

const pages = [
  { href: "/health", label: "Health", isCurrent: (at: string) => at.startsWith("/health") },
  { href: "/", label: "Recipients", isCurrent: (at: string) => at === "/" || at.startsWith("/recipients") },
  { href: "/deliveries", label: "Deliveries", isCurrent: (at: string) => at.startsWith("/deliveries") },
] as const;

export function GatewayShell({ demo, children }: { readonly demo: boolean; readonly children: ReactNode }) {
  const menu = (
    <UserMenu name="Operator" note="Control token" signOut={gatewaySession.signOut} session={signedInQuery} />
  );
  return (
    <PageFrame brand="Skedchange gateway" demo={demo} pages={pages} menu={menu}>
      {children}
    </PageFrame>
  );
}
