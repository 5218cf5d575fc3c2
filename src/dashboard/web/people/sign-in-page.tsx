import { Button, Paper, PasswordInput, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useCountdown } from "../api/countdown.ts";
import { useChange } from "../api/hooks.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSessionReload } from "../api/session.ts";
import { Callout } from "../components/callouts.tsx";
import { formatDuration } from "../labels/moments.ts";
import type { PageSettings } from "../page-settings.ts";
import { CodeField } from "./code-field.tsx";

const roleMeanings: Readonly<Record<string, string>> = {
  viewer: "reads only",
  agent: "also works on cases",
  supervisor: "also cancels orders",
  admin: "also manages users",
};

export function SignInPage({ demoUsers, identityProvider }: Omit<PageSettings, "styleNonce">) {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const signIn = useChange("POST /session", useSessionReload());
  const lockedForSeconds = useCountdown(signIn.error);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (username.trim() === "" || password === "") return;
    signIn.mutate({ body: { username: username.trim(), password, ...(code === "" ? {} : { code }) } });
    setCode("");
  };
  const takesCode = isAboutCode(signIn.error);
  return (
    <main className="sign-in" id="main">
      <title>Sign in · Skedchange</title>
      <h1 className="brand">Skedchange</h1>
      <Paper className="card" component="section" aria-labelledby="sign-in">
        <h2 id="sign-in">Sign in</h2>
        {identityProvider === null ? null : <ProviderSignIn name={identityProvider} />}
        <form onSubmit={submit}>
          {signIn.error === null || isCodeNeeded(signIn.error) ? null : <SignInProblem problem={signIn.error} />}
          <TextInput
            label="User name"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={identityProvider === null}
            required
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ "aria-label": "Show password", tabIndex: 0 }}
          />
          {takesCode ? <CodeField value={code} onType={setCode} isNext /> : null}
          <Button
            type="submit"
            fullWidth
            variant={identityProvider === null ? "filled" : "default"}
            loading={signIn.isPending}
            disabled={lockedForSeconds > 0}
          >
            {lockedForSeconds > 0 ? `Sign in (in ${formatDuration(lockedForSeconds)})` : "Sign in"}
          </Button>
        </form>
      </Paper>
      {demoUsers.length === 0 ? null : (
        <Paper className="card" component="section" aria-labelledby="demo-users">
          <h2 id="demo-users">Demo users</h2>
          <p className="quiet">These users exist in demo mode only. Their passwords are public.</p>
          <ul className="demo-users">
            {demoUsers.map(({ username: name, password: secret, role }) => (
              <li key={name}>
                <Button
                  variant="default"
                  fullWidth
                  justify="space-between"
                  disabled={signIn.isPending}
                  onClick={() => {
                    setUsername(name);
                    signIn.mutate({ body: { username: name, password: secret } });
                  }}
                  rightSection={<span className="quiet">{roleMeanings[role] ?? role}</span>}
                >
                  {name}
                </Button>
              </li>
            ))}
          </ul>
        </Paper>
      )}
    </main>
  );
}

/** A link and no request: the browser goes to the provider and comes back to the page that was asked for. */
function ProviderSignIn({ name }: { readonly name: string }) {
  const { pathname, search } = window.location;
  const to = new URLSearchParams({ to: `${pathname}${search}` });
  return (
    <>
      <Button component="a" href={`/oidc/sign-in?${to}`} fullWidth>
        Sign in with {name}
      </Button>
      <p className="quiet">Or with a password of Skedchange:</p>
    </>
  );
}

function isCodeNeeded(problem: Error | null): boolean {
  return problem instanceof ApiProblem && problem.code === "people.code_needed";
}

function isAboutCode(problem: Error | null): boolean {
  return isCodeNeeded(problem) || (problem instanceof ApiProblem && problem.code === "people.code_wrong");
}

function SignInProblem({ problem }: { readonly problem: Error }) {
  if (problem instanceof ApiProblem && problem.status === 429) {
    return (
      <Callout tone="bad" title="Too many attempts">
        {/* Not counted down, so that screen readers do not repeat it every second. */}
        {`You can try again ${problem.retryAfterSeconds === null ? "later" : `in ${formatDuration(problem.retryAfterSeconds)}`}.`}
      </Callout>
    );
  }
  if (isAboutCode(problem)) {
    return (
      <Callout tone="bad" title="The code is wrong">
        It may have expired, or was used before. Wait for the next one, or use a recovery code.
      </Callout>
    );
  }
  if (problem instanceof ApiProblem && problem.status === 401) {
    return (
      <Callout tone="bad" title="Sign-in failed">
        The user name or the password is wrong.
      </Callout>
    );
  }
  return (
    <Callout tone="bad" title="Sign-in failed">
      {problem.message}
    </Callout>
  );
}
