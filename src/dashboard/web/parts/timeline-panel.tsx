import type { CaseView } from "../api/responses.ts";
import { describeActor } from "../words/state-words.ts";
import { describeEvent, describeEventDetail } from "../words/timeline-words.ts";
import { When } from "./when.tsx";

/** Newest first. */
export function TimelinePanel({ timeline }: { readonly timeline: CaseView["timeline"] }) {
  return (
    <section className="panel" aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol className="timeline">
        {timeline.toReversed().map(({ id, at, kind, actor, detail }) => {
          const more = describeEventDetail(detail);
          return (
            <li key={id}>
              <When at={at} />
              <div>
                {describeEvent(kind, detail)} <span className="quiet">· {describeActor(actor)}</span>
                {more === null ? null : <div className="quiet">{more}</div>}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
