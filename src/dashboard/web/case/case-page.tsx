import { useState } from "react";
import { Link } from "wouter";
import { flightColumns } from "../../../cases/standing.ts";
import { describeUnknown } from "../../../policy/fact-labels.ts";
import { useRead } from "../api/hooks.ts";
import { usePollingInterval } from "../api/live-updates.tsx";
import type { CaseView } from "../api/responses.ts";
import { ApiProblem } from "../api/send-request.ts";
import { useSession } from "../api/session.ts";
import { CaseStateBadge, SeverityMark } from "../components/badges.tsx";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { Copyable, CopyButton, References } from "../components/copyable.tsx";
import { DueByWithRule } from "../components/due-by.tsx";
import { Pair } from "../components/pair.tsx";
import { RawBodyDialog, type RawBodySource } from "../components/raw-body.tsx";
import { useNow, When } from "../components/when.tsx";
import { describeClockRule } from "../labels/clock-words.ts";
import { formatDue, formatTimeLeft } from "../labels/moments.ts";
import { describeActor, describePriority, describeQueue, usernameOf } from "../labels/state-words.ts";
import { ActionBar } from "./action-bar.tsx";
import { CallsPanel } from "./calls-panel.tsx";
import { describeStanding, findLatestNote } from "./case-standing.ts";
import { CaseWalk } from "./case-walk.tsx";
import { CohortLinks } from "./cohort-links.tsx";
import { DecisionHistory, DecisionPanel, RulesPanel } from "./decision-panels.tsx";
import { EffectsPanel } from "./effects-panel.tsx";
import { describeSeverityFacts } from "./fact-words.ts";
import { FactsPanel } from "./facts-panel.tsx";
import { FlightsPanel } from "./flights-panel.tsx";
import { LegalPanel } from "./legal-panel.tsx";
import { NotificationsPanel } from "./notifications-panel.tsx";
import { finishedStates } from "./possible-actions.ts";
import { TasksPanel } from "./tasks-panel.tsx";
import { TimelinePanel } from "./timeline-panel.tsx";
import { TravellerPanel } from "./traveller-panel.tsx";

export function CasePage({ id }: { readonly id: string }) {
  const query = useRead("GET /cases/{id}", { params: { id } }, { refetchInterval: usePollingInterval() });
  return (
    <>
      <CaseWalk caseId={id} />
      {query.isError ? (
        <ErrorCallout
          problem={query.error}
          {...(query.error instanceof ApiProblem && query.error.status === 404
            ? { title: "Case not found" }
            : { onRetry: () => void query.refetch() })}
        />
      ) : null}
      {query.isPending ? <Loading label="Loading the case" /> : null}
      {query.data === undefined ? null : <Case caseView={query.data} />}
    </>
  );
}

function Case({ caseView }: { readonly caseView: CaseView }) {
  const [body, setBody] = useState<RawBodySource | null>(null);
  return (
    <div className="case-page">
      <title>{`${caseView.orderId} · Skedchange`}</title>
      <CaseHead caseView={caseView} />
      <ChangedMeanwhile key={caseView.id} caseView={caseView} />
      <ActionBar caseView={caseView} />
      <div className="columns">
        <div>
          <FlightsPanel
            booked={caseView.itineraries.booked}
            difference={caseView.difference}
            journeyTimes={caseView.journeyTimes}
            columns={flightColumns(caseView)}
          />
          <DecisionPanel caseView={caseView} />
          <LegalPanel caseView={caseView} />
          <FactsPanel caseView={caseView} />
          <RulesPanel caseView={caseView} />
          <DecisionHistory caseView={caseView} />
          <TimelinePanel caseView={caseView} />
        </div>
        <div>
          <TravellerPanel caseView={caseView} />
          <TasksPanel caseView={caseView} />
          <EffectsPanel effects={caseView.effects} />
          <AtAGlance caseView={caseView} />
          <NotificationsPanel notifications={caseView.notifications} onShow={setBody} />
          <CallsPanel caseView={caseView} onShow={setBody} />
        </div>
      </div>
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </div>
  );
}

function CaseHead({ caseView }: { readonly caseView: CaseView }) {
  const now = useNow();
  const { user } = useSession();
  const assignee = usernameOf(caseView.assignee);
  const note = findLatestNote(caseView.timeline);
  return (
    <div className="case-head">
      <div className="case-title">
        <h1>
          <span className="visually-hidden">Order </span>
          {caseView.orderId}
        </h1>
        <CopyButton value={caseView.orderId} what="order id" />
        <References references={caseView.gdsBookingReferences} />
        <CaseStateBadge state={caseView.state} />
        <SeverityMark severity={caseView.severity} />
        {caseView.dueBy === null ? null : <DueByWithRule dueBy={caseView.dueBy} now={now} />}
      </div>
      <p className="headline">{caseView.headline ?? "The booking has not been read yet."}</p>
      <p className="quiet">
        {describeStanding(caseView, now)}
        {assignee === null
          ? null
          : ` Assigned to ${assignee === user.username ? "you" : describeActor(caseView.assignee ?? "")}.`}
      </p>
      {note === null || note.text === caseView.approval?.note ? null : (
        <p className="latest-note">
          <strong>Note:</strong> {note.text}{" "}
          <span className="quiet">
            {describeActor(note.event.actor, note.event.token)}, <When at={note.event.at} />
          </span>
        </p>
      )}
      <CohortLinks caseView={caseView} />
      {caseView.reopenedFrom === null ? null : (
        <p className="quiet">
          Reopened from <Link href={`/cases/${caseView.reopenedFrom}`}>an earlier case</Link>.
        </p>
      )}
      {caseView.lastError === null ? null : (
        <Callout
          tone="warn"
          title={caseView.failures > 1 ? `The last ${caseView.failures} attempts failed` : "The last attempt failed"}
        >
          <p>{caseView.lastError.message}</p>
        </Callout>
      )}
    </div>
  );
}

/** The page shows each new proposal at once. Who was reading the one before, perhaps to a traveller, must be told. */
function ChangedMeanwhile({ caseView: { state, proposalDigest, headline } }: { readonly caseView: CaseView }) {
  const [seen, setSeen] = useState({ proposalDigest, headline });
  if (proposalDigest === seen.proposalDigest || finishedStates.includes(state)) return null;
  if (seen.headline === null) {
    setSeen({ proposalDigest, headline });
    return null;
  }
  return (
    <Callout
      tone="warn"
      title="The airline has changed it again since you opened this page"
      onClose={() => setSeen({ proposalDigest, headline })}
    >
      Before: {seen.headline}
    </Callout>
  );
}

function AtAGlance({ caseView }: { readonly caseView: CaseView }) {
  const now = useNow();
  const { user } = useSession();
  return (
    <section className="panel" aria-labelledby="glance">
      <h2 id="glance">At a glance</h2>
      <dl className="pairs">
        <Pair term="Departure">
          {caseView.departureAt === null ? (
            <span className="quiet">unknown</span>
          ) : (
            <>
              {formatTimeLeft(new Date(caseView.departureAt), now)}{" "}
              <span className="quiet">
                (<When at={caseView.departureAt} /> your time)
              </span>
            </>
          )}
        </Pair>
        <Pair term="Decide by">
          {caseView.dueBy === null ? (
            <span className="quiet">no deadline</span>
          ) : (
            <>
              <When at={caseView.dueBy.at} />
              <div className="quiet">{describeClockRule(caseView.dueBy.rule)}</div>
            </>
          )}
        </Pair>
        <Pair term="Assignee">
          {caseView.assignee === null ? <span className="quiet">Unassigned</span> : describeActor(caseView.assignee)}
        </Pair>
        <Pair term="Severity">
          <SeverityMark severity={caseView.severity} /> <span className="quiet">{describeSeverityFacts(caseView)}</span>
        </Pair>
        <Pair term="Queue">
          {caseView.reviewQueue === null ? <span className="quiet">none</span> : describeQueue(caseView.reviewQueue)}
        </Pair>
        <Pair term="Next check">
          {caseView.dueAt === null ? (
            <span className="quiet">none scheduled</span>
          ) : (
            <>
              {formatDue(new Date(caseView.dueAt), now)}{" "}
              <span className="quiet">
                (<When at={caseView.dueAt} />)
              </span>
            </>
          )}
        </Pair>
        <Pair term="Gateway allows">
          <Flags flags={caseView.flags} />
        </Pair>
        <Pair term="Opened">
          <When at={caseView.openedAt} />
        </Pair>
        {caseView.closedAt === null ? null : (
          <Pair term="Closed">
            <When at={caseView.closedAt} />
          </Pair>
        )}
        <Pair term="Source">{caseView.source}</Pair>
        <Pair term="Priority">
          {describePriority(caseView.priority)} <span className="quiet">({caseView.priority}; 0 is most urgent)</span>
        </Pair>
        {user.role === "viewer" ? null : (
          <Pair term="Case">
            <Copyable value={caseView.id} what="case id">
              <code className="id">{caseView.id}</code>
            </Copyable>
          </Pair>
        )}
      </dl>
    </section>
  );
}

const flagNames = { accept: "Accept", cancel: "Cancel", reSchedule: "Reschedule" } as const;

function Flags({ flags }: { readonly flags: CaseView["flags"] }) {
  if (flags === null) return <span className="quiet">not read yet</span>;
  return (
    <ul className="flags">
      {(["accept", "cancel", "reSchedule"] as const).map((name) => {
        const flag = flags[name];
        const value = flag.known ? (flag.value === "Y" ? "yes" : "no") : `unknown: ${describeUnknown(flag.reason)}`;
        return (
          <li key={name}>
            {flagNames[name]} <strong className={flag.known ? undefined : "unknown"}>{value}</strong>
          </li>
        );
      })}
    </ul>
  );
}
