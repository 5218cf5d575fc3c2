import { useQuery } from "@tanstack/react-query";
import { Route, Switch } from "wouter";
import { readUnlessRefused, useSignOutWhenRefused } from "../api/session-end.ts";
import { CommandsProvider } from "../commands/commands.tsx";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { DeliveriesPage } from "../deliveries/deliveries-page.tsx";
import { DeliveryPage } from "../deliveries/delivery-page.tsx";
import { createDeliveryClient, type DeliverySide, DeliverySideContext } from "../deliveries/delivery-side.ts";
import { RecipientPage } from "../deliveries/recipient-page.tsx";
import { RecipientsPage } from "../deliveries/recipients-page.tsx";
import { NoSuchPage } from "../shell/no-such-page.tsx";
import { gatewaySession, readDeliveryBody, sendToGateway } from "./gateway-api.ts";
import { GatewayShell, signedInQuery } from "./gateway-shell.tsx";
import { GatewaySignIn } from "./gateway-sign-in.tsx";
import { HealthPage } from "./health-page.tsx";
import { MissedCallout, MissedPanel } from "./missed.tsx";

const waysOn = [
  { href: "/health", label: "Health" },
  { href: "/recipients", label: "Recipients" },
  { href: "/deliveries", label: "Deliveries" },
];

const side: DeliverySide = {
  sends: "notifications",
  client: createDeliveryClient(sendToGateway),
  brand: "Skedchange gateway",
  headings: { recipients: "Recipients", deliveries: "Deliveries" },
  words: {
    scope: "Airlines",
    noRecipients: () => "Add a recipient. Notifications it missed can be sent to it afterwards.",
  },
  paths: { recipients: "/recipients", deliveries: "/deliveries" },
  mayChange: true,
  readBody: readDeliveryBody,
  RecipientsCallout: MissedCallout,
  RecipientPanel: MissedPanel,
};

/** The sign-in is shown at the address that was asked for, so that the page is there afterwards. */
export function GatewayApp({ demoToken }: { readonly demoToken: string }) {
  const session = useQuery({
    queryKey: signedInQuery.key,
    queryFn: () => readUnlessRefused(() => gatewaySession.read().then(() => true), signedInQuery.none),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useSignOutWhenRefused(signedInQuery);
  if (session.isPending) return <Loading label="Loading" />;
  if (session.isError) {
    return (
      <main className="page">
        <ErrorCallout problem={session.error} onRetry={() => void session.refetch()} />
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
