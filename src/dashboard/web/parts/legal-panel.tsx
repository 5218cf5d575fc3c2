import type { CaseView } from "../api/responses.ts";
import { describeRight, describeVerdict } from "../words/legal-words.ts";
import { When } from "./when.tsx";

type Legal = NonNullable<CaseView["decisions"][number]["legal"]>;
type RightVerdict = Legal["verdicts"][number];

export function LegalPanel({ caseView }: { readonly caseView: CaseView }) {
  const legal = caseView.decisions.find(({ id }) => id === caseView.decision?.id)?.legal ?? null;
  if (legal === null) return null;
  const open = legal.verdicts.filter(({ verdict }) => verdict !== "not-entitled");
  const closed = legal.verdicts.length - open.length;
  const atStake = open.filter(({ right }) => right === "refund-or-rerouting");
  return (
    <section className="panel" aria-labelledby="legal">
      <h2 id="legal">
        Passenger rights <span className="quiet">research, not legal advice</span>
      </h2>
      <p className="verdict">
        <span className={`badge tone-${legal.hold.held ? "warn" : "plain"}`}>
          {legal.hold.held ? "Legal hold" : "No legal hold"}
        </span>{" "}
        {atStake.length === 0
          ? "No passenger rights affected."
          : "Accepting may waive the right to a refund or another flight."}
      </p>
      {open.length === 0 ? null : <OpenRights verdicts={open} />}
      {closed === 0 ? null : (
        <p className="quiet">
          {closed} other {closed === 1 ? "right" : "rights"} checked: not entitled.
        </p>
      )}
      {legal.warnings.map((warning) => (
        <p key={warning} className="quiet">
          {warning}
        </p>
      ))}
    </section>
  );
}

function OpenRights({ verdicts }: { readonly verdicts: readonly RightVerdict[] }) {
  return (
    <table className="rules">
      <thead>
        <tr>
          <th scope="col">Law</th>
          <th scope="col">Right</th>
          <th scope="col">Result</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {verdicts.map((each) => (
          <tr key={`${each.preset} ${each.trigger} ${each.journey ?? ""}`}>
            <th scope="row">
              <code>{each.preset}</code>
            </th>
            <td>
              {describeRight(each.right)}
              {each.amount === null ? null : (
                <div>
                  {each.amount.value} {each.amount.currency}
                </div>
              )}
            </td>
            <td>
              <span className={`badge tone-${each.verdict === "entitled" ? "warn" : "plain"}`}>
                {describeVerdict(each.verdict)}
              </span>
            </td>
            <td>
              {each.title}
              {each.journey === null ? "" : ` (${each.journey})`}: {each.because}
              <div className="quiet">
                {each.citation}: {each.paragraph}
              </div>
              {each.clocks.map(({ name, dueAt, rule }) =>
                dueAt === null ? null : (
                  <div key={name} className="quiet">
                    Until <When at={dueAt} />: {rule}
                  </div>
                ),
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
