import { useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { type DefaultParams, Route, Switch } from "wouter";
import { type Page, type PageName, pageNames, pages } from "../page-table.ts";
import { call } from "./api/api-client.ts";
import { LiveUpdatesProvider } from "./api/live-updates.tsx";
import { SessionContext, sessionQuery } from "./api/session.ts";
import { readUnlessRefused, useSignOutWhenRefused } from "./api/session-end.ts";
import { CasePage } from "./case/case-page.tsx";
import { CommandsProvider } from "./commands/commands.tsx";
import { ErrorCallout, Loading } from "./components/callouts.tsx";
import type { PageSettings } from "./page-settings.ts";
import { SignInPage } from "./people/sign-in-page.tsx";
import { QueuePage } from "./queue/queue-page.tsx";
import { WorkListProvider } from "./queue/work-list.tsx";
import { lazyPage } from "./shell/lazy-page.tsx";
import { NoSuchPage } from "./shell/no-such-page.tsx";
import { mayOpen } from "./shell/pages-shown.ts";
import { Shell } from "./shell/shell.tsx";
import { ShownPage } from "./shell/shown-page.tsx";
import { TasksPage } from "./tasks/tasks-page.tsx";

/** Pages that are opened less often than the queue and its cases are loaded when somebody opens them. */
const components: Readonly<Record<PageName, ComponentType<never>>> = {
  queue: QueuePage,
  case: CasePage,
  overview: lazyPage(async () => (await import("./overview/overview-page.tsx")).OverviewPage),
  tasks: TasksPage,
  "bulk-actions": lazyPage(async () => (await import("./bulk-actions/bulk-actions-page.tsx")).BulkActionsPage),
  "bulk-action": lazyPage(async () => (await import("./bulk-actions/bulk-action-page.tsx")).BulkActionPage),
  blocked: lazyPage(async () => (await import("./blocked-orders/blocked-page.tsx")).BlockedPage),
  quarantine: lazyPage(async () => (await import("./quarantine/quarantine-page.tsx")).QuarantinePage),
  policies: lazyPage(async () => (await import("./policies/policies-page.tsx")).PoliciesPage),
  policy: lazyPage(async () => (await import("./policies/policy-page.tsx")).PolicyPage),
  "edit-policy": lazyPage(async () => (await import("./policies/edit-policy-page.tsx")).EditPolicyPage),
  sources: lazyPage(async () => (await import("./sources/sources-page.tsx")).SourcesPage),
  members: lazyPage(async () => (await import("./sources/members-page.tsx")).MembersPage),
  events: lazyPage(async () => (await import("./deliveries/events-page.tsx")).EventsPage),
  notices: lazyPage(async () => (await import("./notices/notices-page.tsx")).NoticesPage),
  health: lazyPage(async () => (await import("./health/health-page.tsx")).HealthPage),
  people: lazyPage(async () => (await import("./people/people-page.tsx")).PeoplePage),
  audit: lazyPage(async () => (await import("./audit/audit-page.tsx")).AuditPage),
  "demo-inbox": lazyPage(async () => (await import("./notices/demo-inbox-page.tsx")).DemoInboxPage),
  help: lazyPage(async () => (await import("./help/help-page.tsx")).HelpPage),
  account: lazyPage(async () => (await import("./people/account-page.tsx")).AccountPage),
};

const InitialPasswordPage = lazyPage(async () => (await import("./people/first-step-pages.tsx")).InitialPasswordPage);
const SecondFactorPage = lazyPage(async () => (await import("./people/first-step-pages.tsx")).SecondFactorPage);

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
        <ErrorCallout problem={session.error} onRetry={() => void session.refetch()} />
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
