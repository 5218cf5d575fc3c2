import type { ReactNode } from "react";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import { useSession } from "../api/session.ts";

interface NeedsRoleProps {
  readonly role: UserRole;
  /** Such as "People". */
  readonly title: string;
  /** It concerns the whole installation, so those who see some sources may not. */
  readonly everySource?: true;
  readonly children: ReactNode;
}

/** A page for some. Others read which role it takes, and nothing is asked of the server. */
export function NeedsRole({ role, title, everySource, children }: NeedsRoleProps) {
  const { user } = useSession();
  const hasRole = isRoleAtLeast(user.role, role);
  if (hasRole && (everySource === undefined || user.sources === null)) return children;
  return (
    <>
      <title>{`${title} · Skedchange`}</title>
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <div className="empty">
        <h2>You may not see this page</h2>
        <p>
          {hasRole
            ? `It concerns all sources; you see only ${user.sources?.join(", ") ?? "some"}.`
            : `It takes the role ${role}; yours is ${user.role}.`}{" "}
          Ask an admin, if you need it for your work.
        </p>
      </div>
    </>
  );
}
