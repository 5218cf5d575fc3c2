import { Button, Paper, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useCountdown } from "../api/countdown.ts";
import { Callout } from "../components/callouts.tsx";
import { formatDuration } from "../labels/moments.ts";
import { gatewaySession } from "./gateway-api.ts";
import { signedInQuery } from "./gateway-shell.tsx";

/** The control token opens a session. Neither the page nor the browser stores it. */
export function GatewaySignIn({ demoToken }: { readonly demoToken: string }) {
  const queryClient = useQueryClient();
  const [token, setToken] = useState("");
  const signIn = useMutation({
    mutationFn: (given: string) => gatewaySession.signIn(given),
    onSuccess: () => queryClient.setQueryData(signedInQuery.key, true),
    gcTime: 0,
  });
  const lockedForSeconds = useCountdown(signIn.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== "") signIn.mutate(token.trim());
  };
  return (
    <main className="sign-in" id="main">
      <title>Sign in · Skedchange gateway</title>
      <h1 className="brand">Skedchange gateway</h1>
      <Paper className="card" component="section" aria-labelledby="sign-in">
        <h2 id="sign-in">Sign in</h2>
        <form onSubmit={submit}>
          {signIn.error === null ? null : (
            <Callout tone="bad" title={lockedForSeconds > 0 ? "Too many attempts" : "Sign-in failed"}>
              {signIn.error.message}
            </Callout>
          )}
          <PasswordInput
            label="Control token"
            description="The value of GATEWAY_CONTROL_TOKEN"
            name="token"
            autoComplete="current-password"
            autoFocus
            required
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": "Show token", tabIndex: 0 }}
          />
          <Button type="submit" fullWidth loading={signIn.isPending} disabled={lockedForSeconds > 0}>
            {lockedForSeconds > 0 ? `Sign in (in ${formatDuration(lockedForSeconds)})` : "Sign in"}
          </Button>
        </form>
      </Paper>
      {demoToken === "" ? null : (
        <Paper className="card" component="section" aria-labelledby="demo-token">
          <h2 id="demo-token">Demo</h2>
          <p className="quiet">The demo token is public. It works in demo mode only.</p>
          <Button variant="default" disabled={signIn.isPending} onClick={() => signIn.mutate(demoToken)}>
            Use the demo token
          </Button>
        </Paper>
      )}
    </main>
  );
}
