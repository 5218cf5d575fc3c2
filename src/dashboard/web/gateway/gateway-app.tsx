import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Route, Switch } from "wouter";
import { ApiProblem } from "../api/api-client.ts";
import { CommandsProvider } from "../commands/commands.tsx";
import { DeliveriesPage } from "../deliveries/deliveries-page.tsx";
import { DeliveryPage } from "../deliveries/delivery-page.tsx";
import { type DeliverySide, DeliverySideContext } from "../deliveries/delivery-side.ts";
import { RecipientPage } from "../deliveries/recipient-page.tsx";
import { RecipientsPage } from "../deliveries/recipients-page.tsx";
import { NoSuchPage } from "../pages/no-such-page.tsx";
import { ErrorNotice, Loading } from "../parts/notices.tsx";
import { gatewayApi } from "./gateway-api.ts";
import { GatewayShell, signedInKey } from "./gateway-shell.tsx";
import { GatewaySignIn } from "./gateway-sign-in.tsx";
import { HealthPage } from "./health-page.tsx";
import { MissedNotice, MissedPanel } from "./missed.tsx";

const waysOn = [
  { href: "/health", label: "Health" },
  { href: "/recipients", label: "Recipients" },
  { href: "/deliveries", label: "Deliveries" },
];

const side: DeliverySide = {
  sends: "notifications",
  api: gatewayApi,
  brand: "Skedchange gateway",
  headings: { recipients: "Recipients", deliveries: "Deliveries" },
  paths: { recipients: "/recipients", deliveries: "/deliveries" },
  mayChange: true,
  readBody: gatewayApi.readDeliveryBody,
  RecipientsNotice: MissedNotice,
  RecipientPanel: MissedPanel,
};

/** The sign-in is shown at the address that was asked for, so that the page is there afterwards. */
export function GatewayApp({ demoToken }: { readonly demoToken: string }) {
  const session = useQuery({ queryKey: signedInKey, queryFn: isSignedIn, staleTime: Number.POSITIVE_INFINITY });
  useSignOutWhenRefused();
  if (session.isPending) return <Loading label="Loading" />;
  if (session.isError) {
    return (
      <main className="page">
        <ErrorNotice problem={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (!session.data) return <GatewaySignIn demoToken={demoToken} />;
  return (
    <CommandsProvider side="gateway" mayOpen={() => true}>
      <GatewayShell demo={demoToken !== ""}>
        <DeliverySideContext value={side}>
          <Switch>
            <Route path="/" component={RecipientsPage} />
            <Route path="/health" component={HealthPage} />
            <Route path="/recipients" component={RecipientsPage} />
            <Route path="/recipients/:id">{({ id }) => <RecipientPage key={id} id={id} />}</Route>
            <Route path="/deliveries" component={DeliveriesPage} />
            <Route path="/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
            <Route>
              <NoSuchPage brand="Skedchange gateway" links={waysOn} />
            </Route>
          </Switch>
        </DeliverySideContext>
      </GatewayShell>
    </CommandsProvider>
  );
}

async function isSignedIn(): Promise<boolean> {
  try {
    await gatewayApi.readSession();
    return true;
  } catch (error) {
    if (isRefused(error)) return false;
    throw error;
  }
}

/** A session ends by time, or with the process. The first request that gets a 401 then leads to the sign-in. */
function useSignOutWhenRefused(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const leave = (error: unknown): void => {
      if (isRefused(error) && queryClient.getQueryData(signedInKey) === true) {
        queryClient.setQueryData(signedInKey, false);
      }
    };
    const stops = [
      queryClient.getQueryCache().subscribe(({ query, type }) => type === "updated" && leave(query.state.error)),
      queryClient
        .getMutationCache()
        .subscribe(({ mutation, type }) => type === "updated" && leave(mutation.state.error)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queryClient]);
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
