import { useChange, useRead } from "../api/hooks.ts";
import { useSession } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import "./people-page.css";
import { Button, Checkbox, Group } from "@mantine/core";
import { useState } from "react";
import { userRoleNames } from "../../people/role.ts";
import type { UserRow } from "../api/responses.ts";
import { ErrorCallout, LoadingRows } from "../components/callouts.tsx";
import { useNow, When } from "../components/when.tsx";
import { toLabel } from "../labels/state-words.ts";
import { readPageSettings } from "../page-settings.ts";
import { TokenTable, usableAt } from "./token-list.tsx";
import { UserDialog, type UserTask } from "./user-dialogs.tsx";

export function PeoplePage() {
  const [task, setTask] = useState<UserTask | null>(null);
  const users = useRead("GET /users", {});
  return (
    <>
      <div className="page-head">
        <h1>People</h1>
        <Button onClick={() => setTask({ kind: "add" })}>Add a user …</Button>
      </div>
      {users.isError ? <ErrorCallout problem={users.error} onRetry={() => void users.refetch()} /> : null}
      {users.isPending ? <LoadingRows label="Loading the users" /> : null}
      {users.data === undefined ? null : <UserTable users={users.data.items} onTask={setTask} />}
      <FactorRoles />
      <section className="panel tokens-of-all" aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <p className="quiet">
          What programs of all users send instead of signing in. A token never does more than its owner may.
        </p>
        <TokensOfAll />
      </section>
      {task === null ? null : <UserDialog task={task} onClose={() => setTask(null)} />}
    </>
  );
}

function UserTable({
  users,
  onTask,
}: {
  readonly users: readonly UserRow[];
  readonly onTask: (task: UserTask) => void;
}) {
  const self = useSession().user.id;
  return (
    <DataTable
      caption="Users"
      look="list"
      items={users}
      keyOf={({ id }) => id}
      columns={[
        {
          title: "User",
          cell: ({ displayName, username }) => (
            <>
              <strong>{displayName}</strong>
              <div className="quiet">{username}</div>
            </>
          ),
        },
        { title: "Role", cell: ({ role }) => <span>{toLabel(role)}</span> },
        { title: "Sources", cell: ({ sources }) => <span>{sources === null ? "All" : sources.join(", ")}</span> },
        { title: "Signs in with", cell: (user) => <span>{waysIn(user)}</span> },
        { title: "State", cell: (user) => <UserState user={user} /> },
        {
          title: "Last sign-in",
          cell: ({ lastSignInAt }) => (lastSignInAt === null ? <span>Never</span> : <When at={lastSignInAt} />),
        },
        {
          title: "Actions",
          label: null,
          cell: (user) => <UserTasks user={user} isSelf={user.id === self} onTask={onTask} />,
        },
      ]}
    />
  );
}

function waysIn({ issuer, hasSecondFactor, secondFactorNeeded }: UserRow): string {
  if (issuer !== null) return new URL(issuer).host;
  if (hasSecondFactor) return "Password and code";
  return secondFactorNeeded ? "Password; no second factor yet" : "Password";
}

function UserState({ user }: { readonly user: UserRow }) {
  if (user.disabled) return <span className="badge tone-bad">Disabled</span>;
  if (user.passwordChangeNeeded) return <span className="badge tone-warn">Initial password</span>;
  return <span className="badge tone-good">Active</span>;
}

interface UserTasksProps {
  readonly user: UserRow;
  readonly isSelf: boolean;
  readonly onTask: (task: UserTask) => void;
}

/** Only what the server allows: admins cannot lock themselves out here, nor change what the identity provider decides. */
function UserTasks({ user, isSelf, onTask }: UserTasksProps) {
  const isLocal = user.issuer === null;
  const tasks = [
    { kind: "edit", label: "Edit", isOffered: !isSelf || isLocal },
    { kind: "reset-password", label: "Reset password", isOffered: !isSelf && isLocal && !user.disabled },
    {
      kind: "link",
      label: "Link",
      isOffered: !isSelf && isLocal && readPageSettings(document).identityProvider !== null,
    },
    { kind: "remove-factor", label: "Remove second factor", isOffered: !isSelf && user.hasSecondFactor },
    { kind: "end-sessions", label: "End sessions", isOffered: !isSelf && !user.disabled },
    { kind: "disable", label: "Disable", isOffered: !isSelf && !user.disabled },
    { kind: "enable", label: "Enable", isOffered: user.disabled },
  ] as const;
  return (
    <div className="user-tasks">
      {tasks
        .filter(({ isOffered }) => isOffered)
        .map(({ kind, label }) => (
          <Button
            key={kind}
            size="compact-sm"
            variant="default"
            aria-label={`${label}: ${user.username}`}
            onClick={() => onTask({ kind, user })}
          >
            {label}
          </Button>
        ))}
      {isSelf ? <span className="quiet">This is you.</span> : null}
    </div>
  );
}

/** Which roles must have a second factor. */
function FactorRoles() {
  const roles = useRead("GET /second-factor-roles", {});
  const change = useChange("PUT /second-factor-roles");
  return (
    <section className="panel tokens-of-all" aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      <p className="quiet">
        Users with these roles who sign in with a password must add a second factor before anything else. This includes
        you. Their tokens keep working.
      </p>
      {roles.isError ? <ErrorCallout problem={roles.error} onRetry={() => void roles.refetch()} /> : null}
      {roles.data === undefined ? null : (
        <Checkbox.Group
          label="Required for"
          value={[...roles.data.roles]}
          onChange={(wanted) =>
            change.mutate({ body: { roles: userRoleNames.filter((role) => wanted.includes(role)) } })
          }
        >
          <Group gap="lg" mt="xs">
            {userRoleNames.map((role) => (
              <Checkbox key={role} value={role} label={toLabel(role)} disabled={change.isPending} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {change.isError ? <ErrorCallout problem={change.error} title="Nothing was changed" /> : null}
    </section>
  );
}

function TokensOfAll() {
  const now = useNow();
  const tokens = useRead("GET /tokens", { query: { of: "everybody" } });
  const revoke = useChange("DELETE /tokens/{id}");
  if (tokens.isError) return <ErrorCallout problem={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.isPending) return <LoadingRows label="Loading the tokens" />;
  const usable = usableAt(now, tokens.data.items);
  return (
    <>
      {usable.length === 0 ? (
        <p>No user has a token. People create their own on the page Your account.</p>
      ) : (
        <TokenTable
          tokens={usable}
          showsOwners
          revokingId={revoke.isPending ? revoke.variables.params.id : null}
          onRevoke={(id) => revoke.mutate({ params: { id } })}
        />
      )}
      {revoke.isError ? <ErrorCallout problem={revoke.error} title="The token was not revoked" /> : null}
    </>
  );
}
