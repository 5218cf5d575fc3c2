import type { CaseView, Travellers } from "../api/responses.ts";
import { ApiProblem } from "../api/send-request.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { Copyable } from "../components/copyable.tsx";
import { When } from "../components/when.tsx";
import { mailtoOf } from "./mailto.ts";
import { describePassengerType, describeTicketStatus } from "./traveller-words.ts";
import { useTravellers } from "./travellers.ts";

/** Who travels, and how to reach them. */
export function TravellerList({ caseView }: { readonly caseView: CaseView }) {
  const query = useTravellers(caseView);
  if (query.isPending) return <Loading label="Loading travellers" />;
  if (query.isError) {
    return query.error instanceof ApiProblem && query.error.status === 410 ? (
      <p className="quiet">Traveller data is no longer stored. {query.error.message}</p>
    ) : (
      <ErrorCallout problem={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const stated = query.data;
  if (stated.statedBy === null) return <p className="quiet">Unknown: the booking has not been read yet.</p>;
  return (
    <>
      {stated.travellers.length === 0 ? <p className="quiet">The gateway names no travellers.</p> : null}
      <ul className="traveller-list">
        {stated.travellers.map((traveller, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the list is never reordered.
          <Traveller key={position} traveller={traveller} />
        ))}
      </ul>
      <Tickets tickets={stated.otherTickets} />
      <Contacts stated={stated} />
      {stated.otherOrderIds.length === 0 ? null : (
        <p className="quiet">
          The notification is also about {stated.otherOrderIds.join(", ")}. Some of these may travel on another order.
        </p>
      )}
      <p className="quiet">
        {stated.statedBy.kind === "status" ? "From the booking, read" : "From the notification, received"}{" "}
        <When at={stated.statedBy.at} />. Who sees this is logged.
      </p>
    </>
  );
}

function Traveller({ traveller }: { readonly traveller: Travellers["travellers"][number] }) {
  const { name, type, birthDate, tickets, requests, frequentFlyer } = traveller;
  return (
    <li>
      <p>
        {name === null ? (
          <strong className="unknown">Name not stated</strong>
        ) : (
          <Copyable value={name} what="name">
            <strong>{name}</strong>
          </Copyable>
        )}{" "}
        <span className="quiet">
          {describePassengerType(type)}
          {birthDate === null ? null : `, born ${birthDate}`}
        </span>
      </p>
      <Tickets tickets={tickets} />
      {frequentFlyer.map(({ airline, number }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: account numbers may repeat, and are never reordered.
        <p key={position}>
          <span className="quiet">Frequent flyer {airline ?? ""}</span>{" "}
          <Copyable value={number} what="account number" />
        </p>
      ))}
      {requests.map((request, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: requests may repeat, and are never reordered.
        <p key={position}>
          <span className="badge tone-warn">Special request</span> {request}
        </p>
      ))}
    </li>
  );
}

function Tickets({ tickets }: { readonly tickets: Travellers["otherTickets"] }) {
  return tickets.map(({ number, type, status, gdsBookingReference }, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tickets may repeat, and are never reordered.
    <p key={position}>
      <span className="quiet">{type === "TKT" || type === null ? "Ticket" : type}</span>{" "}
      <Copyable value={number} what="ticket number" />{" "}
      <span className="quiet">
        {describeTicketStatus(status)}
        {gdsBookingReference === null ? null : ` · ${gdsBookingReference}`}
      </span>
    </p>
  ));
}

function Contacts({ stated }: { readonly stated: Travellers }) {
  const { telephones, emails, addressee, hasRefusedContact } = stated;
  const refused = hasRefusedContact ? (
    <p className="quiet">A traveller has refused to give airlines a contact (CTCR).</p>
  ) : null;
  if (telephones.length + emails.length === 0) {
    return (
      <>
        <p className="unknown">No phone number or email is stated.</p>
        {refused}
      </>
    );
  }
  return (
    <>
      <ContactList stated={stated} />
      {addressee === null && emails.length > 0 ? (
        <p className="unknown">No email of a traveller is stated. Phone them, or ask for one.</p>
      ) : null}
      {refused}
    </>
  );
}

function ContactList({ stated: { telephones, emails, unusableEmails } }: { readonly stated: Travellers }) {
  const reasons = new Map(unusableEmails.map(({ email, why }) => [email, whyWords[why]]));
  return (
    <ul className="contacts" aria-label="Contacts">
      {telephones.map((telephone, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: numbers may repeat, and are never reordered.
        <li key={position}>
          <Copyable value={telephone} what="phone number">
            <a href={`tel:${telephone.replaceAll(/[^+\d]/g, "")}`}>{telephone}</a>
          </Copyable>
        </li>
      ))}
      {emails.map((email, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: addresses may repeat, and are never reordered.
        <li key={position}>
          <Copyable value={email} what="email">
            {reasons.has(email) ? <span className="quiet">{email}</span> : <a href={mailtoOf([email])}>{email}</a>}
          </Copyable>{" "}
          <span className="quiet">{reasons.get(email)}</span>
        </li>
      ))}
    </ul>
  );
}

const whyWords: Readonly<Record<Travellers["unusableEmails"][number]["why"], string>> = {
  "own-domain": "is the agency's, and reaches no traveller",
  "own-address": "is the agency's, and reaches no traveller",
  "not-an-address": "is no email address",
};
