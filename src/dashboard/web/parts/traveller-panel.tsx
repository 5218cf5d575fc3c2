import type { CaseView } from "../api/responses.ts";
import { channels, labelOf, travellerAnswers } from "../words/case-actions.ts";
import { describeActor } from "../words/state-words.ts";
import { When } from "./when.tsx";

type Contact = CaseView["travellerContacts"][number];

/** Newest first. */
export function TravellerPanel({ caseView }: { readonly caseView: CaseView }) {
  const contacts = caseView.travellerContacts.toSorted((one, other) => other.happenedAt.localeCompare(one.happenedAt));
  return (
    <section className="panel" aria-labelledby="traveller">
      <h2 id="traveller">Traveller</h2>
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
    </section>
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
