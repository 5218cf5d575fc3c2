import type { CaseView } from "../api/responses.ts";
import { When } from "../components/when.tsx";
import { describeActor } from "../labels/state-words.ts";
import { describeContact } from "./traveller-words.ts";

/** What the travellers were informed of and asked, newest first. */
export function ContactHistory({ caseView }: { readonly caseView: CaseView }) {
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
