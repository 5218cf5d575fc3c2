import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { call } from "./api/api-client.ts";
import { LiveUpdatesProvider } from "./api/live-updates.tsx";
import { SessionContext, sessionQuery } from "./api/session.ts";
import { readUnlessRefused, useSignOutWhenRefused } from "./api/session-end.ts";
import { CommandsProvider } from "./commands/commands.tsx";
import type { PageSettings } from "./page-settings.ts";
import { CasePage } from "./pages/case-page.tsx";
import { NoSuchPage } from "./pages/no-such-page.tsx";
import { QueuePage } from "./pages/queue-page.tsx";
import { SignInPage } from "./pages/sign-in-page.tsx";
import { TasksPage } from "./pages/tasks-page.tsx";
import { lazyPage } from "./parts/lazy-page.tsx";
import { ErrorNotice, Loading } from "./parts/notices.tsx";
import { mayOpen } from "./parts/pages-shown.ts";
import { Shell } from "./parts/shell.tsx";
import { WorkListProvider } from "./parts/work-list.tsx";

// Pages that are opened less often than the queue and its cases are loaded when somebody opens them.
const AccountPage = lazyPage(async () => (await import("./pages/account-page.tsx")).AccountPage);
const BlockedPage = lazyPage(async () => (await import("./pages/blocked-page.tsx")).BlockedPage);
const BulkActionPage = lazyPage(async () => (await import("./pages/bulk-action-page.tsx")).BulkActionPage);
const BulkActionsPage = lazyPage(async () => (await import("./pages/bulk-actions-page.tsx")).BulkActionsPage);
const InitialPasswordPage = lazyPage(async () => (await import("./pages/first-step-pages.tsx")).InitialPasswordPage);
const SecondFactorPage = lazyPage(async () => (await import("./pages/first-step-pages.tsx")).SecondFactorPage);
const OverviewPage = lazyPage(async () => (await import("./pages/overview-page.tsx")).OverviewPage);
const NoticesPage = lazyPage(async () => (await import("./pages/notices-page.tsx")).NoticesPage);
const DemoInboxPage = lazyPage(async () => (await import("./pages/demo-inbox-page.tsx")).DemoInboxPage);
const AuditPage = lazyPage(async () => (await import("./pages/audit-page.tsx")).AuditPage);
const EventsPage = lazyPage(async () => (await import("./pages/events-page.tsx")).EventsPage);
const HelpPage = lazyPage(async () => (await import("./pages/help-page.tsx")).HelpPage);
const PeoplePage = lazyPage(async () => (await import("./pages/people-page.tsx")).PeoplePage);
const PoliciesPage = lazyPage(async () => (await import("./pages/policies-page.tsx")).PoliciesPage);
const PolicyPage = lazyPage(async () => (await import("./pages/policy-page.tsx")).PolicyPage);
const EditPolicyPage = lazyPage(async () => (await import("./pages/edit-policy-page.tsx")).EditPolicyPage);
const SourcesPage = lazyPage(async () => (await import("./pages/sources-page.tsx")).SourcesPage);
const MembersPage = lazyPage(async () => (await import("./pages/members-page.tsx")).MembersPage);
const HealthPage = lazyPage(async () => (await import("./pages/health-page.tsx")).HealthPage);
const QuarantinePage = lazyPage(async () => (await import("./pages/quarantine-page.tsx")).QuarantinePage);

const waysOn = [
  { href: "/", label: "Queue" },
  { href: "/tasks", label: "Tasks" },
  { href: "/help", label: "Help" },
];

/** The sign-in is shown at the address that was asked for, so that the page is there afterwards. */
export function App(settings: Omit<PageSettings, "styleNonce">) {
  const session = useQuery({
    queryKey: sessionQuery.key,
    queryFn: () => readUnlessRefused(() => call("GET /session", {}), sessionQuery.none),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useSignOutWhenRefused(sessionQuery);
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
  if (session.data.user.secondFactorNeeded) return <SecondFactorPage user={session.data.user} />;
  const current = session.data;
  return (
    <SessionContext value={current}>
      <LiveUpdatesProvider>
        <WorkListProvider>
          <CommandsProvider side="agency" mayOpen={(href) => mayOpen(href, current)}>
            <Shell>
              <Switch>
                <Route path="/" component={QueuePage} />
                <Route path="/cases/:id">{({ id }) => <CasePage key={id} id={id} />}</Route>
                <Route path="/overview" component={OverviewPage} />
                <Route path="/tasks" component={TasksPage} />
                <Route path="/bulk-actions" component={BulkActionsPage} />
                <Route path="/bulk-actions/:id">{({ id }) => <BulkActionPage key={id} id={id} />}</Route>
                <Route path="/blocked" component={BlockedPage} />
                <Route path="/quarantine" component={QuarantinePage} />
                <Route path="/policies" component={PoliciesPage} />
                <Route path="/policies/:version">
                  {({ version }) => <PolicyPage key={version} version={version} />}
                </Route>
                <Route path="/policies/:version/edit">
                  {({ version }) => <EditPolicyPage key={version} version={version} />}
                </Route>
                <Route path="/sources" component={SourcesPage} />
                <Route path="/sources/:source/members">
                  {({ source }) => <MembersPage key={source} source={source} />}
                </Route>
                <Route path="/events/*?" component={EventsPage} />
                <Route path="/notices" component={NoticesPage} />
                <Route path="/demo/inbox" component={DemoInboxPage} />
                <Route path="/account" component={AccountPage} />
                <Route path="/people" component={PeoplePage} />
                <Route path="/health" component={HealthPage} />
                <Route path="/audit" component={AuditPage} />
                <Route path="/help" component={HelpPage} />
                <Route>
                  <NoSuchPage brand="Skedchange" links={waysOn} />
                </Route>
              </Switch>
            </Shell>
          </CommandsProvider>
        </WorkListProvider>
      </LiveUpdatesProvider>
    </SessionContext>
  );
}
