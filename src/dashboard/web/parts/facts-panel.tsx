import { Button } from "@mantine/core";
import { useState } from "react";
import type { CaseView } from "../api/responses.ts";
import { groupFacts, type ShownFact } from "../words/fact-words.ts";

export function FactsPanel({ facts }: { readonly facts: CaseView["facts"] }) {
  const [showsAll, setShowsAll] = useState(false);
  if (facts === null) return null;
  const all = groupFacts(facts);
  const groups = all.map((group) => ({
    title: group.title,
    facts: group.facts.filter((fact) => fact.unknownBecause === null && (showsAll || !fact.isQuiet)),
  }));
  const hidden = all.flatMap((group) => group.facts).filter(({ isQuiet }) => isQuiet).length;
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <UnknownFacts facts={all.flatMap((group) => group.facts).filter((fact) => showsAll || !fact.isQuiet)} />
      <div className="fact-groups">
        {groups
          .filter((group) => group.facts.length > 0)
          .map((group) => (
            <div key={group.title}>
              <h3>{group.title}</h3>
              <dl className="pairs">
                {group.facts.map((fact) => (
                  <FactPair key={fact.name} fact={fact} />
                ))}
              </dl>
            </div>
          ))}
      </div>
      {hidden === 0 ? null : (
        <Button size="xs" variant="default" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show ${hidden} more`}
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
          <strong className="unknown">Unknown because {reason}:</strong>{" "}
          {facts
            .filter(({ unknownBecause }) => unknownBecause === reason)
            .map(({ label }) => label.toLowerCase())
            .join(", ")}
        </li>
      ))}
    </ul>
  );
}
