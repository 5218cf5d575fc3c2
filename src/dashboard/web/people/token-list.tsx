import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { isRoleAtLeast, type UserRole, userRoleNames } from "../../people/role.ts";
import { useChange, useRead } from "../api/hooks.ts";
import type { TokenRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { useNow, When } from "../components/when.tsx";
import { toLabel } from "../labels/state-words.ts";

/** What somebody's programs send instead of signing in. */
export function TokenList() {
  const now = useNow();
  const [isCreating, setIsCreating] = useState(false);
  const tokens = useRead("GET /tokens", {});
  const revoke = useChange("DELETE /tokens/{id}");
  if (tokens.isError) return <ErrorCallout problem={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.isPending) return <Loading label="Loading" />;
  const usable = usableAt(now, tokens.data.items);
  return (
    <>
      {usable.length === 0 ? (
        <p>You have no tokens.</p>
      ) : (
        <TokenTable
          tokens={usable}
          revokingId={revoke.isPending ? revoke.variables.params.id : null}
          onRevoke={(id) => revoke.mutate({ params: { id } })}
        />
      )}
      {revoke.isError ? <ErrorCallout problem={revoke.error} title="The token was not revoked" /> : null}
      <Button variant="default" onClick={() => setIsCreating(true)}>
        Create token …
      </Button>
      {isCreating ? <CreateTokenDialog onClose={() => setIsCreating(false)} /> : null}
    </>
  );
}

export function usableAt(now: Date, tokens: readonly TokenRow[]): readonly TokenRow[] {
  return tokens.filter(({ revokedAt, expiresAt }) => revokedAt === null && new Date(expiresAt) > now);
}

interface TokenTableProps {
  readonly tokens: readonly TokenRow[];
  readonly showsOwners?: boolean;
  readonly revokingId: string | null;
  readonly onRevoke: (id: string) => void;
}

export function TokenTable({ tokens, showsOwners = false, revokingId, onRevoke }: TokenTableProps) {
  return (
    <DataTable
      look="rules"
      items={tokens}
      keyOf={({ id }) => id}
      columns={[
        { title: "Name", cell: ({ name }) => name },
        showsOwners ? { title: "Owner", cell: ({ username }) => username } : null,
        { title: "May", cell: ({ role, readOnly }) => describeRights(role, readOnly) },
        { title: "Created", cell: ({ createdAt }) => <When at={createdAt} /> },
        { title: "Expires", cell: ({ expiresAt }) => <When at={expiresAt} /> },
        {
          title: "Last used",
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <When at={lastUsedAt} />),
        },
        {
          title: "Revoke",
          isTitleHidden: true,
          label: null,
          cell: ({ id, name, username }) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Revoke token: ${name}${showsOwners ? ` of ${username}` : ""}`}
              loading={revokingId === id}
              onClick={() => onRevoke(id)}
            >
              Revoke
            </Button>
          ),
        },
      ]}
    />
  );
}

function describeRights(role: UserRole, readOnly: boolean): string {
  return readOnly || role === "viewer" ? `Read as ${role}` : `Read and act as ${role}`;
}

const lives = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
];

function CreateTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const { user } = useSession();
  const [name, setName] = useState("");
  const [role, setRole] = useState<UserRole>("viewer");
  const [readOnly, setReadOnly] = useState(true);
  const [days, setDays] = useState("90");
  const create = useChange("POST /tokens");
  if (create.isSuccess) {
    return (
      <SecretOnce title="Token created" what="token" secret={create.data.token} onClose={onClose}>
        Copy the token now. It is not shown again.
      </SecretOnce>
    );
  }
  return (
    <FormDialog
      title="Create token"
      change={create}
      failed="The token was not created"
      submit="Create"
      isDisabled={name.trim() === ""}
      onSubmit={() => create.mutate({ body: { name: name.trim(), role, readOnly, expiresInDays: Number(days) } })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="What uses it, such as Nightly report."
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Role"
        description="The most that it may do, and never more than you may."
        data={userRoleNames
          .filter((each) => isRoleAtLeast(user.role, each))
          .map((each) => ({ value: each, label: toLabel(each) }))}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as UserRole)}
      />
      <Checkbox
        label="Read only"
        description="It sees what the role sees and changes nothing."
        checked={readOnly}
        onChange={(event) => setReadOnly(event.currentTarget.checked)}
      />
      <NativeSelect
        label="Expires after"
        data={lives}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
