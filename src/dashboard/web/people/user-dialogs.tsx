import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type UserRole, userRoleNames } from "../../people/role.ts";
import { call } from "../api/api-client.ts";
import { useChanging } from "../api/create-hooks.ts";
import { useChange } from "../api/hooks.ts";
import type { UserRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { SecretOnce } from "../components/secret-once.tsx";
import { SourcesField } from "../components/sources-field.tsx";
import { toLabel } from "../labels/state-words.ts";

/** What an admin is about to do, and to whom. */
export type UserTask =
  | { readonly kind: "add" }
  | {
      readonly kind: "edit" | "reset-password" | "link" | "remove-factor" | "end-sessions" | "disable" | "enable";
      readonly user: UserRow;
    };

interface TaskProps {
  readonly onClose: () => void;
}

interface UserTaskProps extends TaskProps {
  readonly user: UserRow;
}

export function UserDialog({ task, onClose }: TaskProps & { readonly task: UserTask }) {
  switch (task.kind) {
    case "add":
      return <AddUser onClose={onClose} />;
    case "edit":
      return <EditUser user={task.user} onClose={onClose} />;
    case "reset-password":
      return <ResetPassword user={task.user} onClose={onClose} />;
    case "link":
      return <LinkUser user={task.user} onClose={onClose} />;
    default:
      return <ConfirmTask kind={task.kind} user={task.user} onClose={onClose} />;
  }
}

function AddUser({ onClose }: TaskProps) {
  const [username, setUsername] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [role, setRole] = useState<UserRole>("agent");
  const [sources, setSources] = useState<readonly string[] | null>(null);
  const add = useChange("POST /users");
  const body = {
    username: username.trim(),
    role,
    sources: role === "admin" || sources === null ? null : [...sources],
    ...(displayName.trim() === "" ? {} : { displayName: displayName.trim() }),
  };
  if (add.isSuccess) {
    return (
      <PasswordOnce
        title="User added"
        username={add.data.user.username}
        password={add.data.password}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="Add a user"
      change={add}
      failed="The user was not added"
      submit="Add"
      isDisabled={username.trim() === "" || (role !== "admin" && sources?.length === 0)}
      onSubmit={() => add.mutate({ body })}
      onClose={onClose}
    >
      <TextInput
        label="User name"
        description="They sign in with it. It never changes, because decisions refer to it."
        required
        maxLength={64}
        autoComplete="off"
        data-autofocus
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        description="As the dashboard shows them."
        maxLength={100}
        autoComplete="off"
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <RoleField value={role} onChange={setRole} />
      {role === "admin" ? null : (
        <SourcesField
          allLabel="Sees all sources"
          description="They see and change only the orders of these."
          value={sources}
          onChange={setSources}
        />
      )}
    </FormDialog>
  );
}

function EditUser({ user, onClose }: UserTaskProps) {
  const isSelf = useSession().user.id === user.id;
  const isLocal = user.issuer === null;
  const [displayName, setDisplayName] = useState(user.displayName);
  const [role, setRole] = useState<UserRole>(user.role);
  const [sources, setSources] = useState<readonly string[] | null>(user.sources);
  const save = useChange("PATCH /users/{id}", onClose);
  const body = {
    ...(isLocal ? { displayName: displayName.trim() } : {}),
    ...(isLocal && !isSelf ? { role } : {}),
    sources: role === "admin" || sources === null ? null : [...sources],
  };
  return (
    <FormDialog
      title={`Edit ${user.username}`}
      change={save}
      failed="Nothing was changed"
      submit="Save"
      isDisabled={displayName.trim() === "" || (role !== "admin" && sources?.length === 0)}
      onSubmit={() => save.mutate({ params: { id: user.id }, body })}
      onClose={onClose}
    >
      {isLocal ? (
        <TextInput
          label="Name"
          required
          maxLength={100}
          data-autofocus
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
      ) : (
        <p className="quiet">Name and role come from {user.issuer}, at each sign-in.</p>
      )}
      {isLocal && !isSelf ? <RoleField value={role} onChange={setRole} /> : null}
      {isSelf ? <p className="quiet">Only another admin can lower your role or disable you.</p> : null}
      {role === "admin" ? null : (
        <SourcesField
          allLabel="Sees all sources"
          description="They see and change only the orders of these."
          value={sources}
          onChange={setSources}
        />
      )}
    </FormDialog>
  );
}

const roleMeanings: Readonly<Record<UserRole, string>> = {
  viewer: "Sees cases, tasks and policies.",
  agent: "Also decides cases and reads what was received.",
  supervisor: "Also cancels, approves, acts on many cases and changes policies.",
  admin: "Also manages users and reads the audit. Sees all sources.",
};

interface FieldProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function RoleField({ value, onChange }: FieldProps<UserRole>) {
  return (
    <NativeSelect
      label="Role"
      description={roleMeanings[value]}
      data={userRoleNames.map((role) => ({ value: role, label: toLabel(role) }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as UserRole)}
    />
  );
}

function ResetPassword({ user, onClose }: UserTaskProps) {
  const [revokeTokens, setRevokeTokens] = useState(false);
  const reset = useChange("PATCH /users/{id}");
  if (reset.isSuccess) {
    return (
      <PasswordOnce
        title="Password reset"
        username={user.username}
        password={reset.variables.body.password ?? null}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={`Reset the password of ${user.username}`}
      change={reset}
      failed="The password was not reset"
      submit="Reset password"
      isDanger
      hasFocus
      onSubmit={() =>
        reset.mutate({
          params: { id: user.id },
          body: { password: generatePassword(), ...(revokeTokens ? { revokeTokens } : {}) },
        })
      }
      onClose={onClose}
    >
      <p>
        {user.displayName} gets a new initial password, which is shown here once. All their sessions end, and they must
        change it when they next sign in.
      </p>
      <Checkbox
        label="Also revoke all of their tokens"
        checked={revokeTokens}
        onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

/** No letters or digits that look alike. 32 of them, so that each byte gives one without bias. */
const passwordLetters = "abcdefghjkmnpqrstuvwxyz23456789+";

/** 100 bits, in groups that are easy to read out. */
function generatePassword(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(20))].map((byte) => passwordLetters[byte % 32] ?? "");
  return [0, 5, 10, 15].map((start) => letters.slice(start, start + 5).join("")).join("-");
}

interface PasswordOnceProps extends TaskProps {
  readonly title: string;
  readonly username: string;
  readonly password: string | null;
}

function PasswordOnce({ title, username, password, onClose }: PasswordOnceProps) {
  return (
    <SecretOnce title={title} what="password" secret={password ?? ""} onClose={onClose}>
      Copy the password now, and give it to {username} in a safe way. It is not shown again, and must be changed at the
      first sign-in.
    </SecretOnce>
  );
}

function LinkUser({ user, onClose }: UserTaskProps) {
  const [subject, setSubject] = useState("");
  const link = useChange("PATCH /users/{id}", onClose);
  return (
    <FormDialog
      title={`Link ${user.username} to the identity provider`}
      change={link}
      failed="The user was not linked"
      submit="Link"
      isDisabled={subject.trim() === ""}
      isDanger
      onSubmit={() => link.mutate({ params: { id: user.id }, body: { subject: subject.trim() } })}
      onClose={onClose}
    >
      <p>They sign in there from now on. Their password here is gone and their sessions end. This can't be undone.</p>
      <TextInput
        label="Subject"
        description="The value of “sub” that the provider has for them. It is no e-mail address in most cases."
        required
        maxLength={255}
        data-autofocus
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

interface Question {
  readonly title: (username: string) => string;
  readonly text: ReactNode;
  readonly label: string;
  readonly isDanger: boolean;
  readonly problemTitle: string;
  readonly act: (userId: string) => Promise<unknown>;
}

const questions: Readonly<Record<"remove-factor" | "end-sessions" | "disable" | "enable", Question>> = {
  "remove-factor": {
    title: (username) => `Remove the second factor of ${username}`,
    text: "For someone who has lost the app and the recovery codes. Make sure that it is they who ask. Their sessions end, and they sign in with the password alone until they add another one.",
    label: "Remove the second factor",
    isDanger: true,
    problemTitle: "The second factor was not removed",
    act: (id) => call("DELETE /users/{id}/second-factor", { params: { id } }),
  },
  "end-sessions": {
    title: (username) => `End all sessions of ${username}`,
    text: "They must sign in again in every browser. Their tokens stay.",
    label: "End sessions",
    isDanger: true,
    problemTitle: "The sessions were not ended",
    act: (id) => call("DELETE /users/{id}/sessions", { params: { id } }),
  },
  disable: {
    title: (username) => `Disable ${username}`,
    text: "They cannot sign in any more, their sessions end, and their tokens do nothing. What they decided stays.",
    label: "Disable",
    isDanger: true,
    problemTitle: "The user was not disabled",
    act: (id) => call("PATCH /users/{id}", { params: { id }, body: { disabled: true } }),
  },
  enable: {
    title: (username) => `Enable ${username}`,
    text: "They can sign in again, as before.",
    label: "Enable",
    isDanger: false,
    problemTitle: "The user was not enabled",
    act: (id) => call("PATCH /users/{id}", { params: { id }, body: { disabled: false } }),
  },
};

function ConfirmTask({ kind, user, onClose }: UserTaskProps & { readonly kind: keyof typeof questions }) {
  const { title, text, label, isDanger, problemTitle, act } = questions[kind];
  const change = useChanging(act, onClose);
  return (
    <FormDialog
      title={title(user.username)}
      change={change}
      failed={problemTitle}
      submit={label}
      isDanger={isDanger}
      hasFocus
      onSubmit={() => change.mutate(user.id)}
      onClose={onClose}
    >
      <p>{text}</p>
    </FormDialog>
  );
}
