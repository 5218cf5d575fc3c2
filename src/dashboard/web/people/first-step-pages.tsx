import { Button, Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { call } from "../api/api-client.ts";
import type { Session } from "../api/responses.ts";
import { sessionQuery } from "../api/session.ts";
import { useSignOut } from "../api/session-end.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { ChangePassword } from "./change-password.tsx";
import { SecondFactor } from "./second-factor.tsx";

interface FirstStepProps {
  readonly user: Session["user"];
}

/** All that people see until they have changed a password that somebody else has set. */
export function InitialPasswordPage({ user }: FirstStepProps) {
  return (
    <FirstStepPage title="Change your password">
      <p className="quiet">
        Hello {user.displayName}. An admin has set your password, so someone else knows it. Choose your own to go on.
      </p>
      <ChangePassword username={user.username} />
    </FirstStepPage>
  );
}

/** All that people see whose role must have a second factor, until they have added one. */
export function SecondFactorPage({ user }: FirstStepProps) {
  return (
    <FirstStepPage title="Add a second factor">
      <p className="quiet">Hello {user.displayName}. Your role requires a second factor. Add one to continue.</p>
      <SecondFactor hasSecondFactor={false} />
    </FirstStepPage>
  );
}

function FirstStepPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const leave = useSignOut(() => call("DELETE /session", {}), sessionQuery);
  return (
    <main className="sign-in" id="main">
      <title>{`${title} · Skedchange`}</title>
      <h1 className="brand">Skedchange</h1>
      <Paper className="card" component="section" aria-labelledby="first-step">
        <h2 id="first-step">{title}</h2>
        {children}
      </Paper>
      <Button variant="default" loading={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </Button>
      {leave.isError ? <ErrorCallout problem={leave.error} title="You are still signed in" /> : null}
    </main>
  );
}
