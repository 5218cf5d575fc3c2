import { sendToApi } from "../api/api-client.ts";
import { useMay } from "../api/session.ts";
import "./deliveries.css";
import "./events-page.css";
import { Link, Route, Switch, useLocation } from "wouter";
import { NoSender } from "../components/no-sender.tsx";
import { DeliveriesPage } from "./deliveries-page.tsx";
import { DeliveryPage } from "./delivery-page.tsx";
import { createDeliveryClient, type DeliverySide, DeliverySideContext } from "./delivery-side.ts";
import { RecipientPage } from "./recipient-page.tsx";
import { RecipientsPage } from "./recipients-page.tsx";

/** The agency's own events: which systems are sent them, and whether they arrived. */
export function EventsPage() {
  const mayChange = useMay("changeOutgoingEvents");
  return (
    <DeliverySideContext value={mayChange ? changing : reading}>
      <Parts />
      <NoSender sends="event" />
      <Switch>
        <Route path="/events/deliveries" component={DeliveriesPage} />
        <Route path="/events/deliveries/:id">{({ id }) => <DeliveryPage key={id} id={id} />}</Route>
        <Route path="/events/recipients/:id">{({ id }) => <RecipientPage key={id} id={id} />}</Route>
        <Route component={RecipientsPage} />
      </Switch>
    </DeliverySideContext>
  );
}

const reading: DeliverySide = {
  sends: "events",
  client: createDeliveryClient(sendToApi),
  brand: "Skedchange",
  headings: { recipients: "Recipients of events", deliveries: "Deliveries of events" },
  words: {
    scope: "Events",
    noRecipients: (mayChange) =>
      `A recipient is a system of yours that is sent signed events about cases, such as a mid-office or a chat. ${
        mayChange ? "It gets what happens after it was added." : "An admin can add one."
      }`,
  },
  paths: { recipients: "/events/recipients", deliveries: "/events/deliveries" },
  mayChange: false,
};
const changing: DeliverySide = { ...reading, mayChange: true };

function Parts() {
  const [location] = useLocation();
  const ofDeliveries = location.startsWith("/events/deliveries");
  return (
    <nav className="event-parts" aria-label="Events">
      <Link href="/events" aria-current={ofDeliveries ? undefined : "page"}>
        Recipients
      </Link>
      <Link href="/events/deliveries" aria-current={ofDeliveries ? "page" : undefined}>
        Deliveries
      </Link>
    </nav>
  );
}
