import { describeSettlement } from "../../../cases/outcome-words.ts";
import { nearestMiss, rulesOf, type TracedRule } from "../../../cases/traced-rules.ts";
import { counted } from "../../../kernel/counted.ts";
import { decisiveChecks } from "../../../policy/check-words.ts";
import { describeUnknown, labelOfFact } from "../../../policy/fact-labels.ts";
import type { CaseView } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { DataTable } from "../components/data-table.tsx";
import { useNow, When } from "../components/when.tsx";
import { formatInstant } from "../labels/moments.ts";
import { describeActor, describeDecider, describeDecision, describeQueue, toLabel } from "../labels/state-words.ts";
import { acceptDangerNamesOf } from "./accept-dangers.ts";
import { describeReadCheck } from "./fact-words.ts";

type Decision = CaseView["decisions"][number];

export function DecisionPanel({ caseView }: { readonly caseView: CaseView }) {
  const now = useNow();
  const { decision } = caseView;
  const inForce = caseView.decisions.find(({ id }) => id === decision?.id);
  return (
    <section className="panel" aria-labelledby="decision">
      <h2 id="decision">Decision</h2>
      {decision === null ? (
        <p className="quiet">None yet.</p>
      ) : (
        <>
          <p className="verdict">
            <strong>{describeDecision(decision.action)}</strong>
            {inForce?.reviewQueue == null ? null : <span> in queue {describeQueue(inForce.reviewQueue)}</span>}
            <span className="quiet">
              {" "}
              by {inForce === undefined ? describeActor(decision.decidedBy, decision.token) : describeDecider(inForce)}
              {decision.rule === "person" ? null : (
                <>
                  , rule <code>{decision.rule}</code>
                </>
              )}
              , <When at={decision.decidedAt} />
            </span>
          </p>
          {decision.settled === null ? null : (
            <p>
              {describeSettlement(decision.settled, formatInstant(new Date(decision.settled.at), now))} It was asked:
            </p>
          )}
          <ul className={decision.settled === null ? "reasons" : "reasons quiet"}>
            {decision.reasons.map(({ code, text }) => (
              <li key={code + text}>
                {text} <code className="quiet">{code}</code>
              </li>
            ))}
          </ul>
          {statesOrderToStop(caseView) ? <WhereItStands /> : null}
          {inForce?.note == null ? null : <blockquote className="note">{inForce.note}</blockquote>}
        </>
      )}
    </section>
  );
}

function statesOrderToStop(caseView: CaseView): boolean {
  return acceptDangerNamesOf(caseView).includes("order-to-stop");
}

/** An order to stop is read in what was received: only words of a dictionary are kept of it. */
function WhereItStands() {
  const mayRead = useMay("readBodies");
  return (
    <p>
      {mayRead ? (
        <>
          Read it as received: <a href="#calls">AirReservationStatus under Gateway responses</a>, or{" "}
          <a href="#notifications">Notifications</a>.
        </>
      ) : (
        <span className="quiet">Only agents and above can read what was received.</span>
      )}
    </p>
  );
}

const outcomeWords: Readonly<Record<string, { readonly label: string; readonly tone: string }>> = {
  matched: { label: "Matched", tone: "good" },
  "not-matched": { label: "No match", tone: "plain" },
  unknown: { label: "Unknown", tone: "warn" },
  disabled: { label: "Disabled", tone: "plain" },
};

/** The rules of the newest decision of the policy, in order of evaluation. */
export function RulesPanel({ caseView }: { readonly caseView: CaseView }) {
  const decided = caseView.decisions.find(({ trace }) => rulesOf(trace).length > 0);
  if (decided === undefined) return null;
  const rules = rulesOf(decided.trace);
  const nearest = rules.some(({ action, outcome }) => outcome === "matched" && action === "accept")
    ? null
    : nearestMiss(rules);
  const relevant = rules.filter(
    (rule) => rule === nearest || (rule.outcome !== "not-matched" && rule.outcome !== "disabled"),
  );
  return (
    <section className="panel" aria-labelledby="rules">
      <h2 id="rules">
        Rules evaluated{" "}
        <span className="quiet">
          {decided.proposalDigest === caseView.proposalDigest
            ? policyOf(decided)
            : `for an earlier proposal, ${policyOf(decided)}`}
        </span>
      </h2>
      <RuleTable rules={relevant} />
      {rules.length === relevant.length ? null : (
        <details>
          <summary>{counted(rules.length - relevant.length, "other rule")} did not match</summary>
          <RuleTable rules={rules.filter((rule) => !relevant.includes(rule))} />
        </details>
      )}
    </section>
  );
}

function policyOf({ versions, evaluatedAt }: Decision): string {
  const name = versions["policyName"];
  return [
    ...(name === undefined ? [] : [`policy ${name}`]),
    ...(evaluatedAt === null ? [] : ["first match decides"]),
  ].join(", ");
}

function RuleTable({ rules }: { readonly rules: readonly TracedRule[] }) {
  if (rules.length === 0) return <p className="quiet">No rule matched.</p>;
  return (
    <DataTable
      look="rules"
      items={rules}
      keyOf={({ rule }) => rule}
      columns={[
        { title: "Rule", cell: ({ rule }) => <code>{rule}</code> },
        { title: "Action", label: null, cell: ({ action }) => describeDecision(action) },
        {
          title: "Outcome",
          label: null,
          cell: ({ outcome }) => {
            const { label, tone } = outcomeWords[outcome] ?? { label: toLabel(outcome), tone: "plain" };
            return <span className={`badge tone-${tone}`}>{label}</span>;
          },
        },
        { title: "Decided on", label: null, cell: becauseOf },
      ]}
    />
  );
}

/** Evaluation stops at the check that settles a rule, so the last one is why it did not match; a match needs all. */
function becauseOf({ outcome, checks, reads }: TracedRule) {
  const unknownFacts = Object.entries(reads).flatMap(([name, fact]) =>
    fact.known ? [] : [{ name, reason: fact.reason }],
  );
  if (outcome === "unknown" && unknownFacts.length > 0) {
    return unknownFacts.map(({ name, reason }) => (
      <div key={name}>
        {labelOfFact(name)}: unknown, because {describeUnknown(reason)}
      </div>
    ));
  }
  return decisiveChecks(checks, reads, outcome).map((check) => (
    <div key={check.check}>{describeReadCheck({ ...check, reads })}</div>
  ));
}

export function DecisionHistory({ caseView }: { readonly caseView: CaseView }) {
  const earlier = caseView.decisions.filter(({ id }) => id !== caseView.decision?.id);
  if (earlier.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="earlier">
      <h2 id="earlier">Earlier decisions</h2>
      <ol className="history">
        {earlier.map((past) => (
          <li key={past.id}>
            <p>
              <strong>{describeDecision(past.action)}</strong>{" "}
              <span className="quiet">
                by {describeDecider(past)}, <When at={past.decidedAt} />
              </span>
            </p>
            <p>{past.reasons[0]?.text}</p>
            {past.note === null ? null : <blockquote className="note">{past.note}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}
