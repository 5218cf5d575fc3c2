import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Route, Switch } from "wouter";
import { ApiProblem, api } from "./api/api-client.ts";
import { LiveUpdatesProvider } from "./api/live-updates.tsx";
import { SessionContext, sessionKey } from "./api/session.ts";
import type { PageSettings } from "./page-settings.ts";
import { AccountPage } from "./pages/account-page.tsx";
import { BlockedPage } from "./pages/blocked-page.tsx";
import { BulkActionPage } from "./pages/bulk-action-page.tsx";
import { BulkActionsPage } from "./pages/bulk-actions-page.tsx";
import { CasePage } from "./pages/case-page.tsx";
import { InitialPasswordPage } from "./pages/initial-password-page.tsx";
import { NoSuchPage } from "./pages/no-such-page.tsx";
import { PoliciesPage } from "./pages/policies-page.tsx";
import { QuarantinePage } from "./pages/quarantine-page.tsx";
import { QueuePage } from "./pages/queue-page.tsx";
import { SignInPage } from "./pages/sign-in-page.tsx";
import { TasksPage } from "./pages/tasks-page.tsx";
import { ErrorNotice, Loading } from "./parts/notices.tsx";
import { Shell } from "./parts/shell.tsx";

/** The sign-in is shown at the address that was asked for, so that the page is there afterwards. */
export function App(settings: Omit<PageSettings, "styleNonce">) {
  const session = useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: Number.POSITIVE_INFINITY });
  useSignOutWhenRefused();

  if (session.isPending) return <Loading label="Loading" />;
  if (session.isError) {
    return (
      <main className="page">
        <ErrorNotice problem={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (session.data === null) return <SignInPage {...settings} />;
  if (session.data.user.passwordChangeNeeded) return <InitialPasswordPage user={session.data.user} />;
  return (
    <SessionContext value={session.data}>
      <LiveUpdatesProvider>
        <Shell>
          <Switch>
            <Route path="/" component={QueuePage} />
            <Route path="/cases/:id">{({ id }) => <CasePage key={id} id={id} />}</Route>
            <Route path="/tasks" component={TasksPage} />
            <Route path="/bulk-actions" component={BulkActionsPage} />
            <Route path="/bulk-actions/:id">{({ id }) => <BulkActionPage key={id} id={id} />}</Route>
            <Route path="/blocked" component={BlockedPage} />
            <Route path="/quarantine" component={QuarantinePage} />
            <Route path="/policies" component={PoliciesPage} />
            <Route path="/account" component={AccountPage} />
            <Route component={NoSuchPage} />
          </Switch>
        </Shell>
      </LiveUpdatesProvider>
    </SessionContext>
  );
}

/** Null if nobody is signed in. */
async function readSession() {
  try {
    return await api.readSession();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}

/** A session may end on the server at any time. The first request that gets a 401 then leads to the sign-in. */
function useSignOutWhenRefused(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe(({ query, type }) => {
        if (type !== "updated" || !isRefused(query.state.error)) return;
        if (queryClient.getQueryData(sessionKey) !== null) queryClient.setQueryData(sessionKey, null);
      }),
    [queryClient],
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
