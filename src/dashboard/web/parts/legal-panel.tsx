import type { CaseView } from "../api/responses.ts";
import { describeClockRule } from "../words/clock-words.ts";
import { adviseOnRights, type RightAdvice } from "../words/legal-words.ts";
import { When } from "./when.tsx";
import "./legal-panel.css";

export function LegalPanel({ caseView }: { readonly caseView: CaseView }) {
  const legal = caseView.decisions.find(({ id }) => id === caseView.decision?.id)?.legal ?? null;
  if (legal === null) return null;
  const rights = adviseOnRights(legal.verdicts);
  const closed = legal.verdicts.filter(({ verdict }) => verdict === "not-entitled").length;
  const others =
    closed === 0
      ? ""
      : ` ${closed} ${rights.length === 0 ? "" : "other "}${closed === 1 ? "check" : "checks"} ${closed === 1 ? "does" : "do"} not apply.`;
  return (
    <section className="panel rights" aria-labelledby="legal">
      <h2 id="legal">
        Passenger rights <span className="quiet">research, not legal advice</span>
      </h2>
      {legal.hold.held ? (
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
      <p className="quiet">
        {rights.length === 0 ? "No passenger rights affected." : ""}
        {others}
      </p>
      {legal.warnings.map((warning) => (
        <p key={warning} className="quiet">
          {warning}
        </p>
      ))}
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
