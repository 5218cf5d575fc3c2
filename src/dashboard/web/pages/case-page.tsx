import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { ApiProblem, api } from "../api/api-client.ts";
import { useFallbackInterval } from "../api/live-updates.tsx";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { ActionBar } from "../parts/action-bar.tsx";
import { CaseStateBadge, SeverityMark } from "../parts/badges.tsx";
import { CallsPanel, EffectsPanel, NotificationsPanel } from "../parts/case-records.tsx";
import { CohortLinks } from "../parts/cohort-links.tsx";
import { CopyButton, References } from "../parts/copyable.tsx";
import { DecisionHistory, DecisionPanel, RulesPanel } from "../parts/decision-panels.tsx";
import { DueByWithRule } from "../parts/due-by.tsx";
import { FactsPanel } from "../parts/facts-panel.tsx";
import { FlightsPanel } from "../parts/flights-panel.tsx";
import { BackIcon } from "../parts/icons.tsx";
import { LegalPanel } from "../parts/legal-panel.tsx";
import { ErrorNotice, Notice, Waiting } from "../parts/notices.tsx";
import { Pair } from "../parts/pair.tsx";
import { RawBodyDialog, type RawBodySource } from "../parts/raw-body.tsx";
import { TasksPanel } from "../parts/tasks-panel.tsx";
import { TimelinePanel } from "../parts/timeline-panel.tsx";
import { TravellerPanel } from "../parts/traveller-panel.tsx";
import { useNow, When } from "../parts/when.tsx";
import { describeClockRule } from "../words/clock-words.ts";
import { describeUnknown, labelOfFact } from "../words/fact-words.ts";
import { formatDue, formatTimeLeft } from "../words/moments.ts";
import { describeActor, describeCaseState, describeQueue } from "../words/state-words.ts";

/** Everything about one case: what changed, why it was decided so, what was done, and what a person can do. */
export function CasePage({ id }: { readonly id: string }) {
  const found = useQuery({
    queryKey: ["case", id],
    queryFn: () => api.readCase(id),
    refetchInterval: useFallbackInterval(),
  });
  return (
    <>
      <Link href="/" className="back">
        <BackIcon /> Queue
      </Link>
      {found.isError ? (
        <ErrorNotice
          problem={found.error}
          {...(found.error instanceof ApiProblem && found.error.status === 404
            ? { title: "Case not found" }
            : { onRetry: () => void found.refetch() })}
        />
      ) : null}
      {found.isPending ? <Waiting label="Loading the case" /> : null}
      {found.data === undefined ? null : <Case found={found.data} />}
    </>
  );
}

function Case({ found }: { readonly found: CaseView }) {
  const [body, setBody] = useState<RawBodySource | null>(null);
  return (
    <>
      <title>{`${found.orderId} · Skedchange`}</title>
      <CaseHead found={found} />
      <ActionBar found={found} />
      <div className="columns">
        <div>
          <FlightsPanel booked={found.itineraries.booked} difference={found.difference} />
          <DecisionPanel found={found} />
          <LegalPanel found={found} />
          <FactsPanel facts={found.facts} />
          <RulesPanel found={found} />
        </div>
        <div>
          <AtAGlance found={found} />
          <TasksPanel found={found} />
          <EffectsPanel effects={found.effects} />
          <TravellerPanel found={found} />
          <TimelinePanel timeline={found.timeline} />
          <DecisionHistory found={found} />
          <NotificationsPanel notifications={found.notifications} onShow={setBody} />
          <CallsPanel caseId={found.id} onShow={setBody} />
        </div>
      </div>
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </>
  );
}

function CaseHead({ found }: { readonly found: CaseView }) {
  const now = useNow();
  return (
    <div className="case-head">
      <div className="case-title">
        <h1>
          <span className="visually-hidden">Order </span>
          {found.orderId}
        </h1>
        <CopyButton value={found.orderId} what="order id" />
        <References references={found.gdsBookingReferences} />
        <CaseStateBadge state={found.state} />
        <SeverityMark severity={found.severity} />
        {found.dueBy === null ? null : <DueByWithRule dueBy={found.dueBy} now={now} />}
      </div>
      <p className="headline">{found.headline ?? "The booking has not been read yet."}</p>
      <p className="quiet">{describeCaseState(found.state).meaning}</p>
      <CohortLinks found={found} />
      {found.reopenedFrom === null ? null : (
        <p className="quiet">
          Reopened from <Link href={`/cases/${found.reopenedFrom}`}>an earlier case</Link>.
        </p>
      )}
      {found.lastError === null ? null : (
        <Notice
          tone="warn"
          title={found.failures > 1 ? `The last ${found.failures} attempts failed` : "The last attempt failed"}
        >
          <p>{found.lastError.message}</p>
        </Notice>
      )}
    </div>
  );
}

function AtAGlance({ found }: { readonly found: CaseView }) {
  const now = useNow();
  const { user } = useSession();
  return (
    <section className="panel" aria-labelledby="glance">
      <h2 id="glance">At a glance</h2>
      <dl className="pairs">
        <Pair term="Departure">
          {found.departureAt === null ? (
            <span className="quiet">unknown</span>
          ) : (
            <>
              {formatTimeLeft(new Date(found.departureAt), now)}{" "}
              <span className="quiet">
                (<When at={found.departureAt} /> your time)
              </span>
            </>
          )}
        </Pair>
        <Pair term="Decide by">
          {found.dueBy === null ? (
            <span className="quiet">no deadline</span>
          ) : (
            <>
              <When at={found.dueBy.at} long />
              <div className="quiet">{describeClockRule(found.dueBy.rule)}</div>
            </>
          )}
        </Pair>
        <Pair term="Assignee">
          {found.assignee === null ? <span className="quiet">Unassigned</span> : describeActor(found.assignee)}
        </Pair>
        <Pair term="Severity">
          <SeverityMark severity={found.severity} />{" "}
          <span className="quiet">{found.severityFacts.map(labelOfFact).join(", ")}</span>
        </Pair>
        <Pair term="Queue">
          {found.reviewQueue === null ? <span className="quiet">none</span> : describeQueue(found.reviewQueue)}
        </Pair>
        <Pair term="Next check">
          {found.dueAt === null ? (
            <span className="quiet">none scheduled</span>
          ) : (
            <>
              {formatDue(new Date(found.dueAt), now)}{" "}
              <span className="quiet">
                (<When at={found.dueAt} />)
              </span>
            </>
          )}
        </Pair>
        <Pair term="Gateway allows">
          <Flags flags={found.flags} />
        </Pair>
        <Pair term="Opened">
          <When at={found.openedAt} long />
        </Pair>
        {found.closedAt === null ? null : (
          <Pair term="Closed">
            <When at={found.closedAt} long />
          </Pair>
        )}
        <Pair term="Source">{found.source}</Pair>
        <Pair term="Priority">
          {found.priority} <span className="quiet">(0 is most urgent)</span>
        </Pair>
        {user.role === "viewer" ? null : (
          <Pair term="Case">
            <span className="copyable">
              <code className="id">{found.id}</code>
              <CopyButton value={found.id} what="case id" />
            </span>
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
