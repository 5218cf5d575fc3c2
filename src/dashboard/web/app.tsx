import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { type DefaultParams, Route, Switch } from "wouter";
import { type Page, type PageName, pageNames, pages } from "../page-table.ts";
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
import { ShownPage } from "./parts/shown-page.tsx";
import { WorkListProvider } from "./parts/work-list.tsx";

/** Pages that are opened less often than the queue and its cases are loaded when somebody opens them. */
const components: Readonly<Record<PageName, ComponentType<never>>> = {
  queue: QueuePage,
  case: CasePage,
  overview: lazyPage(async () => (await import("./pages/overview-page.tsx")).OverviewPage),
  tasks: TasksPage,
  "bulk-actions": lazyPage(async () => (await import("./pages/bulk-actions-page.tsx")).BulkActionsPage),
  "bulk-action": lazyPage(async () => (await import("./pages/bulk-action-page.tsx")).BulkActionPage),
  blocked: lazyPage(async () => (await import("./pages/blocked-page.tsx")).BlockedPage),
  quarantine: lazyPage(async () => (await import("./pages/quarantine-page.tsx")).QuarantinePage),
  policies: lazyPage(async () => (await import("./pages/policies-page.tsx")).PoliciesPage),
  policy: lazyPage(async () => (await import("./pages/policy-page.tsx")).PolicyPage),
  "edit-policy": lazyPage(async () => (await import("./pages/edit-policy-page.tsx")).EditPolicyPage),
  sources: lazyPage(async () => (await import("./pages/sources-page.tsx")).SourcesPage),
  members: lazyPage(async () => (await import("./pages/members-page.tsx")).MembersPage),
  events: lazyPage(async () => (await import("./pages/events-page.tsx")).EventsPage),
  notices: lazyPage(async () => (await import("./pages/notices-page.tsx")).NoticesPage),
  health: lazyPage(async () => (await import("./pages/health-page.tsx")).HealthPage),
  people: lazyPage(async () => (await import("./pages/people-page.tsx")).PeoplePage),
  audit: lazyPage(async () => (await import("./pages/audit-page.tsx")).AuditPage),
  "demo-inbox": lazyPage(async () => (await import("./pages/demo-inbox-page.tsx")).DemoInboxPage),
  help: lazyPage(async () => (await import("./pages/help-page.tsx")).HelpPage),
  account: lazyPage(async () => (await import("./pages/account-page.tsx")).AccountPage),
};

const InitialPasswordPage = lazyPage(async () => (await import("./pages/first-step-pages.tsx")).InitialPasswordPage);
const SecondFactorPage = lazyPage(async () => (await import("./pages/first-step-pages.tsx")).SecondFactorPage);

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
                {pageNames.map((name) => {
                  const page: Page = pages[name];
                  return (
                    <Route key={name} path={page.parts === undefined ? page.path : `${page.path}/*?`}>
                      {(params) => <PageAt name={name} params={params} />}
                    </Route>
                  );
                })}
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

/** Another case or policy is another page, which begins anew; parts of a page are not. */
function PageAt({ name, params }: { readonly name: PageName; readonly params: DefaultParams }) {
  const page: Page = pages[name];
  const Component = components[name] as ComponentType<DefaultParams>;
  return (
    <ShownPage page={page}>
      <Component key={page.parts === undefined ? Object.values(params).join(" ") : name} {...params} />
    </ShownPage>
  );
}
