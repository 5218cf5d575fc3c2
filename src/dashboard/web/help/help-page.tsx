import { useSession } from "../api/session.ts";
import "./help-page.css";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { isRoleAtLeast, type UserRole } from "../../people/role.ts";
import { KeysButton } from "../commands/command-button.tsx";
import { Pair } from "../components/pair.tsx";
import { describeCaseState, severityWords } from "../labels/state-words.ts";

/** For the first day: what the words mean, and what to do first. */
export function HelpPage() {
  const { user } = useSession();
  return (
    <>
      <div className="page-head">
        <h1>Help</h1>
        <KeysButton />
      </div>
      <div className="help">
        <Topic id="case" title="What a case is">
          <p>
            An airline changes a flight that is booked: another time, another airport, a cancellation. The gateway
            notifies Skedchange, which reads the booking again and opens a <strong>case</strong> for the order. The
            policy of your agency accepts what it may accept by itself. Everything else waits here for a person.
          </p>
        </Topic>
        <Topic id="first" title="What to do first">
          <ol className="steps">
            {steps
              .filter(({ role }) => isRoleAtLeast(user.role, role))
              .map(({ text }, index) => (
                <li key={index}>{text}</li>
              ))}
          </ol>
        </Topic>
        <Topic id="states" title="States">
          <dl className="pairs">
            {shownStates.map((state) => {
              const { label, tone, meaning } = describeCaseState(state);
              return (
                <Pair key={state} term={<span className={`badge tone-${tone}`}>{label}</span>}>
                  {meaning}
                </Pair>
              );
            })}
          </dl>
        </Topic>
        <Topic id="severities" title="Severity">
          <p>
            How much the change means for the travellers. It decides nothing; the priority says how urgent a case is.
          </p>
          <dl className="pairs">
            <Pair term={severityWords.critical}>
              A journey is cancelled, a connection breaks, or it is major and leaves within 72 hours.
            </Pair>
            <Pair term={severityWords.major}>
              Another flight, airport or date; a lower cabin; 90 minutes later or more, or 60 minutes earlier.
            </Pair>
            <Pair term={severityWords.minor}>Anything else, such as a flight number or a terminal.</Pair>
            <Pair term={severityWords.improvement}>The travellers are better off, or all is as booked again.</Pair>
            <Pair term={severityWords.none}>No flight differs from what is booked.</Pair>
          </dl>
        </Topic>
        <Topic id="times" title="Times">
          <p>
            Times of flights are local at the airport, as on the ticket. All other times are in the zone of your
            browser; point at one to see UTC.
          </p>
        </Topic>
        <Topic id="roles" title="Who may do what">
          <p>
            Viewers see. Agents also decide and record. Supervisors also cancel, approve, act on many cases and change
            policies. Admins also manage users. A button that you may not use says why.
          </p>
        </Topic>
        <Topic id="more" title="Read more">
          <p>In the folder docs of Skedchange:</p>
          <dl className="pairs">
            {documents
              .filter(({ role }) => isRoleAtLeast(user.role, role))
              .map(({ file, about }) => (
                <Pair key={file} term={<code>{file}</code>}>
                  {about}
                </Pair>
              ))}
          </dl>
        </Topic>
      </div>
    </>
  );
}

interface TopicProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

function Topic({ id, title, children }: TopicProps) {
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

const shownStates = [
  "received",
  "checking",
  "awaiting-agent",
  "ask-traveller",
  "awaiting-traveller",
  "snoozed",
  "accept-pending",
  "cancel-pending",
  "accepting",
  "cancelling",
  "done",
  "resolved-elsewhere",
  "closed",
];

const steps: readonly { readonly role: UserRole; readonly text: ReactNode }[] = [
  {
    role: "viewer",
    text: (
      <>
        Open the <Link href="/">queue</Link>. It shows what needs action, most urgent first: what is overdue, then what
        must be decided next.
      </>
    ),
  },
  {
    role: "viewer",
    text: "Open a case. On top: what changed, the flights booked and proposed, and why the policy did not decide.",
  },
  {
    role: "agent",
    text: "Decide: accept, or send it to the reschedule desk, or snooze it. Record when the traveller was informed.",
  },
  {
    role: "agent",
    text: (
      <>
        Look at the <Link href="/tasks">tasks</Link>: what is left to do after a change, such as a ticket to check.
      </>
    ),
  },
  {
    role: "supervisor",
    text: (
      <>
        Look at <Link href="/blocked">blocked orders</Link> and the <Link href="/quarantine">quarantine</Link> each day:
        work that cannot go on by itself.
      </>
    ),
  },
  {
    role: "supervisor",
    text: (
      <>
        See on <Link href="/policies">policies</Link> what is accepted by itself, and how to stop that.
      </>
    ),
  },
  {
    role: "admin",
    text: (
      <>
        Add <Link href="/people">people</Link> with the least role that their work takes.
      </>
    ),
  },
];

const documents: readonly { readonly role: UserRole; readonly file: string; readonly about: string }[] = [
  { role: "viewer", file: "dashboard.md", about: "Every page and key." },
  { role: "viewer", file: "glossary.md", about: "The words." },
  { role: "agent", file: "clocks.md", about: "By when a case must be decided, and why." },
  { role: "supervisor", file: "policy.md", about: "How a policy is written and tried out." },
  { role: "supervisor", file: "effects.md", about: "What is sent to the gateway, and how it is stopped." },
  { role: "admin", file: "people.md", about: "Roles, passwords, tokens, identity providers." },
  { role: "admin", file: "audit.md", about: "What is recorded, and how it is verified." },
  { role: "admin", file: "operations.md", about: "Upgrade, backup, alerts, and what to do about each." },
];
