import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import type { CaseView, Travellers } from "../api/responses.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSession } from "../api/session.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { CopyButton } from "../components/copyable.tsx";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { channels, labelOf, travellerAnswers } from "./case-actions.ts";
import { LazyTravellerText } from "./lazy-traveller-text.ts";
import { describePassengerType, describeTicketStatus } from "./traveller-words.ts";
import { useTravellers } from "./travellers.ts";
import "./traveller-panel.css";

type Contact = CaseView["travellerContacts"][number];

/** Who travels, how to reach them, and what they were told. */
export function TravellerPanel({ caseView }: { readonly caseView: CaseView }) {
  const mayRead = isRoleAtLeast(useSession().user.role, requiredRoles.readTravellers);
  return (
    <section className="panel travellers" aria-labelledby="traveller">
      <h2 id="traveller">Travellers</h2>
      {mayRead ? (
        <>
          <People caseView={caseView} />
          <TextForTravellers caseView={caseView} />
        </>
      ) : (
        <p className="quiet">Names, contacts and tickets are personal data. Only agents and above can see them.</p>
      )}
      <ContactHistory caseView={caseView} />
    </section>
  );
}

function TextForTravellers({ caseView }: { readonly caseView: CaseView }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" className="write" onClick={() => setIsOpen(true)}>
        Write to travellers …
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Write to travellers"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <LazyTravellerText caseView={caseView} />
      </Modal>
    </>
  );
}

function People({ caseView }: { readonly caseView: CaseView }) {
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
      <ul className="people">
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
      {frequentFlyer.map(({ airline, number }) => (
        <p key={number}>
          <span className="quiet">Frequent flyer {airline ?? ""}</span>{" "}
          <Copyable value={number} what="account number" />
        </p>
      ))}
      {requests.map((request) => (
        <p key={request}>
          <span className="badge tone-warn">Special request</span> {request}
        </p>
      ))}
    </li>
  );
}

function Tickets({ tickets }: { readonly tickets: Travellers["otherTickets"] }) {
  return tickets.map(({ number, type, status, gdsBookingReference }) => (
    <p key={number + (gdsBookingReference ?? "")}>
      <span className="quiet">{type === "TKT" || type === null ? "Ticket" : type}</span>{" "}
      <Copyable value={number} what="ticket number" />{" "}
      <span className="quiet">
        {describeTicketStatus(status)}
        {gdsBookingReference === null ? null : ` · ${gdsBookingReference}`}
      </span>
    </p>
  ));
}

function Contacts({ stated: { telephones, emails } }: { readonly stated: Travellers }) {
  if (telephones.length + emails.length === 0) return <p className="unknown">No phone number or email is stated.</p>;
  return (
    <ul className="contacts" aria-label="Contacts">
      {telephones.map((telephone) => (
        <li key={telephone}>
          <Copyable value={telephone} what="phone number">
            <a href={`tel:${telephone.replaceAll(/[^+\d]/g, "")}`}>{telephone}</a>
          </Copyable>
        </li>
      ))}
      {emails.map((email) => (
        <li key={email}>
          <Copyable value={email} what="email">
            <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
          </Copyable>
        </li>
      ))}
    </ul>
  );
}

interface CopyableProps {
  readonly value: string;
  readonly what: string;
  readonly children?: React.ReactNode;
}

function Copyable({ value, what, children = <span className="code">{value}</span> }: CopyableProps) {
  return (
    <span className="copyable">
      {children}
      <CopyButton value={value} what={what} />
    </span>
  );
}

/** Newest first. */
function ContactHistory({ caseView }: { readonly caseView: CaseView }) {
  const contacts = caseView.travellerContacts.toSorted((one, other) => other.happenedAt.localeCompare(one.happenedAt));
  return (
    <>
      {contacts.length === 0 ? <p className="quiet">Traveller not informed yet.</p> : null}
      <ol className="timeline">
        {contacts.map((contact) => (
          <li key={contact.id}>
            <When at={contact.happenedAt} />
            <div>
              {describeContact(contact)}{" "}
              <span className="quiet">· recorded by {describeActor(contact.recordedBy)}</span>
              {contact.proposalDigest === caseView.proposalDigest ? null : (
                <div className="quiet">About an earlier proposal; it does not count for this one.</div>
              )}
              {contact.note === null ? null : <blockquote className="note">{contact.note}</blockquote>}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function describeContact({ kind, channel, answer }: Contact): string {
  const by = labelOf(channels, channel).toLowerCase();
  switch (kind) {
    case "informed":
      return `Informed (${by})`;
    case "asked":
      return `Asked (${by})`;
    case "answered":
      return `Answered (${by}): ${labelOf(travellerAnswers, answer ?? "").toLowerCase()}`;
  }
}
