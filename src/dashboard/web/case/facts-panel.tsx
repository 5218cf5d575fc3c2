import { Button } from "@mantine/core";
import { useState } from "react";
import { usedFacts } from "../../../cases/used-facts.ts";
import { describeUnknown } from "../../../policy/fact-labels.ts";
import type { CaseView } from "../api/responses.ts";
import { groupFacts, type ShownFact } from "./fact-words.ts";

/** The facts on which the decision rests; the rest on request. */
export function FactsPanel({ caseView }: { readonly caseView: CaseView }) {
  const [showsAll, setShowsAll] = useState(false);
  if (caseView.facts === null) return null;
  const used = usedFacts(caseView);
  const all = groupFacts(caseView.facts);
  const isShown = ({ name, isQuiet }: ShownFact): boolean => showsAll || (used.has(name) && !isQuiet);
  const shown = all.flatMap((group) => group.facts).filter(isShown);
  const total = all.flatMap((group) => group.facts).length;
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">
        Facts {showsAll ? null : <span className="quiet">that decided, or that the severity or the law rests on</span>}
      </h2>
      {shown.length === 0 ? <p className="quiet">None stands out.</p> : null}
      <UnknownFacts facts={shown} />
      <div className="fact-groups">
        {all
          .map(({ title, facts }) => ({
            title,
            facts: facts.filter((fact) => fact.unknownBecause === null && isShown(fact)),
          }))
          .filter(({ facts }) => facts.length > 0)
          .map(({ title, facts }) => (
            <div key={title}>
              <h3>{title}</h3>
              <dl className="pairs">
                {facts.map((fact) => (
                  <FactPair key={fact.name} fact={fact} />
                ))}
              </dl>
            </div>
          ))}
      </div>
      {shown.length === total && !showsAll ? null : (
        <Button size="xs" variant="default" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${total}`}
        </Button>
      )}
    </section>
  );
}

function FactPair({ fact }: { readonly fact: ShownFact }) {
  return (
    <div>
      <dt title={fact.name}>{fact.label}</dt>
      <dd>{fact.value}</dd>
    </div>
  );
}

/** Shown first, because unknown facts prevent automatic actions. Grouped by reason. */
function UnknownFacts({ facts }: { readonly facts: readonly ShownFact[] }) {
  const reasons = [...new Set(facts.flatMap(({ unknownBecause }) => unknownBecause ?? []))];
  if (reasons.length === 0) return null;
  return (
    <ul className="unknown-facts">
      {reasons.map((reason) => (
        <li key={reason}>
          {reason === describeUnknown("withdrawn") ? (
            <span className="unknown">A flight is withdrawn, so nothing can be said about its new times.</span>
          ) : (
            <>
              <strong className="unknown">Unknown because {reason}:</strong>{" "}
              {facts
                .filter(({ unknownBecause }) => unknownBecause === reason)
                .map(({ label }) => label.toLowerCase())
                .join(", ")}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
