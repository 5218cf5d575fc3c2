import type { ReactNode } from "react";
import type { Page } from "../../page-table.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { useSession } from "../api/session.ts";

interface ShownPageProps {
  readonly page: Page;
  readonly children: ReactNode;
}

/** A page under its title. Those who may not see it read which role it takes, and nothing is asked of the server. */
export function ShownPage({ page: { title, titlesItself, role = "viewer", everySource }, children }: ShownPageProps) {
  const { user } = useSession();
  const hasRole = isRoleAtLeast(user.role, role);
  const maySee = hasRole && (everySource === undefined || user.sources === null);
  return (
    <>
      {maySee && titlesItself === true ? null : <title>{`${title} · Skedchange`}</title>}
      {maySee ? (
        children
      ) : (
        <>
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
      )}
    </>
  );
}
