import type { CaseView } from "../api/responses.ts";
import { When } from "../components/when.tsx";
import { describeActor, describeDecider } from "../labels/state-words.ts";
import { describeEvent, describeEventDetail } from "./timeline-words.ts";

/** Newest first. */
export function TimelinePanel({ caseView: { timeline, decisions } }: { readonly caseView: CaseView }) {
  const deciders = new Map(decisions.map((decision) => [decision.id, describeDecider(decision)]));
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol className="timeline">
        {timeline.toReversed().map(({ id, at, kind, actor, token, detail }) => {
          const who =
            (kind === "decision.made" ? deciders.get(String(detail["decisionId"])) : undefined) ??
            describeActor(actor, token);
          const more = describeEventDetail(detail);
          return (
            <li key={id}>
              <When at={at} />
              <div>
                {describeEvent(kind, detail)} <span className="quiet">· {who}</span>
                {more === null ? null : <div className="quiet">{more}</div>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
