import { Button, Checkbox, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useCountdown } from "../api/countdown.ts";
import { useChange } from "../api/hooks.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSessionReload } from "../api/session.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { formatDuration } from "../labels/moments.ts";

const nothingTyped = { currentPassword: "", newPassword: "", repeated: "" };

type Fields = typeof nothingTyped;

/** The form by which people change their own password. */
export function ChangePassword({ username }: { readonly username: string }) {
  const [fields, setFields] = useState(nothingTyped);
  const [revokeTokens, setRevokeTokens] = useState(false);
  const reloadSession = useSessionReload();
  const change = useChange("POST /session/password", async () => {
    setFields(nothingTyped);
    setRevokeTokens(false);
    await reloadSession();
  });
  const lockedForSeconds = useCountdown(change.error);
  const type = (field: keyof Fields) => (value: string) => {
    change.reset();
    setFields({ ...fields, [field]: value });
  };
  const isMistyped = fields.repeated !== "" && !fields.newPassword.startsWith(fields.repeated);
  const isReady = fields.currentPassword !== "" && fields.newPassword !== "" && fields.repeated === fields.newPassword;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady || lockedForSeconds > 0) return;
    const { currentPassword, newPassword } = fields;
    change.mutate({ body: { currentPassword, newPassword, revokeTokens } });
  };
  return (
    <form className="password-form" onSubmit={submit}>
      {/* For password managers, which store a password with its user name. */}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        value={fields.currentPassword}
        onType={type("currentPassword")}
        problem={problemOf(change.error, "/currentPassword")}
      />
      <PasswordField
        label="New password"
        description="At least 12 characters. A few words that do not belong together are easy to remember and hard to guess."
        autoComplete="new-password"
        value={fields.newPassword}
        onType={type("newPassword")}
        problem={problemOf(change.error, "/newPassword")}
      />
      <PasswordField
        label="New password, again"
        autoComplete="new-password"
        value={fields.repeated}
        onType={type("repeated")}
        problem={isMistyped ? "The two new passwords differ." : null}
      />
      <Checkbox
        label="Also revoke my tokens"
        description="Your programs stop working until you give them new ones."
        checked={revokeTokens}
        onChange={(event) => setRevokeTokens(event.currentTarget.checked)}
      />
      {change.isSuccess ? (
        <Callout tone="good" title="Password changed">
          Your other sessions have ended.
        </Callout>
      ) : null}
      <GeneralProblem problem={change.error} />
      <Button type="submit" disabled={!isReady || lockedForSeconds > 0} loading={change.isPending}>
        {lockedForSeconds > 0 ? `Change password (in ${formatDuration(lockedForSeconds)})` : "Change password"}
      </Button>
    </form>
  );
}

interface PasswordFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly autoComplete: "current-password" | "new-password";
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly problem: string | null;
}

function PasswordField({ label, description, autoComplete, value, onType, problem }: PasswordFieldProps) {
  return (
    <PasswordInput
      label={label}
      description={description}
      autoComplete={autoComplete}
      required
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      error={problem}
      visibilityToggleButtonProps={{ "aria-label": `Show ${label.toLowerCase()}`, tabIndex: 0 }}
    />
  );
}

/** What belongs to no field. */
function GeneralProblem({ problem }: { readonly problem: Error | null }) {
  if (problem === null || fieldProblems(problem).length > 0) return null;
  return <ErrorCallout problem={problem} title="The password was not changed" />;
}

function problemOf(problem: Error | null, path: string): string | null {
  const message = fieldProblems(problem).find((field) => field.path === path)?.message;
  return message === undefined ? null : `The ${path === "/newPassword" ? "new" : "current"} password ${message}.`;
}

function fieldProblems(problem: Error | null): readonly { readonly path: string; readonly message: string }[] {
  const problems = problem instanceof ApiProblem ? problem.members["problems"] : undefined;
  return Array.isArray(problems) ? problems : [];
}
