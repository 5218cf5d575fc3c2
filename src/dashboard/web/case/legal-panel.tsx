import type { ReactNode } from "react";
import { mayBeAccepted } from "../../../cases/case-actions.ts";
import { describeCoverage } from "../../../policy/legal/coverage-words.ts";
import type { CaseView } from "../api/responses.ts";
import { When } from "../components/when.tsx";
import { describeClockRule } from "../labels/clock-words.ts";
import { adviseOnRights, type RightAdvice } from "./legal-words.ts";
import "./legal-panel.css";

export function LegalPanel({ caseView }: { readonly caseView: CaseView }) {
  const legal = caseView.decisions.find(({ id }) => id === caseView.decision?.id)?.legal ?? null;
  if (caseView.decision === null) return null;
  if (legal === null) {
    return (
      <Panel>
        <p className="quiet">{describeCoverage(null, null).join(" ")}</p>
      </Panel>
    );
  }
  const isAcceptable = mayBeAccepted(caseView);
  const rights = adviseOnRights(legal.verdicts, isAcceptable);
  const closed = legal.verdicts.filter(({ verdict }) => verdict === "not-entitled").length;
  const others =
    closed === 0 || rights.length === 0
      ? []
      : [`No right follows from the other ${closed === 1 ? "rule" : `${closed} rules`} of these laws.`];
  const notes = [...others, ...describeCoverage(legal, caseView.facts)];
  return (
    <Panel>
      {legal.hold.held && isAcceptable ? (
        <p className="verdict">
          <span className="badge tone-warn">Legal hold</span> Accepting may waive the right to a refund or another
          flight.
        </p>
      ) : null}
      <ul>
        {rights.map((right) => (
          <Right key={right.key} right={right} />
        ))}
      </ul>
      {notes.length === 0 ? null : <p className="quiet">{notes.join(" ")}</p>}
      {legal.warnings.map((warning) => (
        <p key={warning} className="quiet">
          {warning}
        </p>
      ))}
    </Panel>
  );
}

function Panel({ children }: { readonly children: ReactNode }) {
  return (
    <section className="panel rights" aria-labelledby="legal">
      <h2 id="legal">
        Passenger rights <span className="quiet">research, not legal advice</span>
      </h2>
      {children}
    </section>
  );
}

function Right({ right: { advice, isCertain, deadlines, reasons } }: { readonly right: RightAdvice }) {
  return (
    <li className={isCertain ? "certain" : "possible"}>
      <p className="advice">{advice}</p>
      {deadlines.map(({ name, dueAt, rule }) =>
        dueAt === null ? null : (
          <p key={name} title={rule}>
            Until <When at={dueAt} />: {describeClockRule(name)}
          </p>
        ),
      )}
      {reasons.map(({ text, source, note }) => (
        <p key={text} className="quiet">
          {text} {source}.{note === null ? null : ` ${note}`}
        </p>
      ))}
    </li>
  );
}
