import { useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import type { Session } from "./responses.ts";

export const sessionQuery = { key: ["session"], none: null } as const;

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession is used outside the pages that need a session");
  return session;
}

/** Whether the user's role allows it. The server checks the role again with each request. */
export function useMay(action: keyof typeof requiredRoles): boolean {
  return isRoleAtLeast(useSession().user.role, requiredRoles[action]);
}

/** What people are and must do may have changed. */
export function useSessionReload(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: sessionQuery.key });
}
