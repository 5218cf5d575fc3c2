import { Button, Paper } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../api/api-client.ts";
import type { Session } from "../api/responses.ts";
import { sessionQuery } from "../api/session.ts";
import { forgetSession } from "../api/session-end.ts";
import { ChangePassword } from "../parts/change-password.tsx";

/** All that people see until they have changed a password that somebody else has set. */
export function InitialPasswordPage({ user }: { readonly user: Session["user"] }) {
  const queryClient = useQueryClient();
  const signOut = async (): Promise<void> => {
    await api.signOut();
    forgetSession(queryClient, sessionQuery);
  };
  return (
    <main className="sign-in" id="main">
      <title>Change your password · Skedchange</title>
      <h1 className="brand">Skedchange</h1>
      <Paper className="card" component="section" aria-labelledby="change-password">
        <h2 id="change-password">Change your password</h2>
        <p className="quiet">
          Hello {user.displayName}. An admin has set your password, so someone else knows it. Choose your own to go on.
        </p>
        <ChangePassword
          username={user.username}
          onChanged={() => queryClient.invalidateQueries({ queryKey: sessionQuery.key })}
        />
      </Paper>
      <Button variant="default" onClick={() => void signOut()}>
        Sign out
      </Button>
    </main>
  );
}
