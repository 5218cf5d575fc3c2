import { Link } from "wouter";
import type { OverviewFigures } from "../api/responses.ts";
import { DataTable } from "../components/data-table.tsx";
import { describeQueue } from "../labels/state-words.ts";
import { type QueueFilters, severityFilterWords } from "../queue/queue-filters.ts";
import { blockedHref, openWorkFilters, openWorkHref } from "./figure-links.ts";
import { Tile } from "./tile.tsx";

type Now = OverviewFigures["now"];

/** Shows what is open and waits at this moment. */
export function NowFigures({ now, source }: { readonly now: Now; readonly source: string }) {
  const queue = (filters: Partial<QueueFilters>) => openWorkHref(filters, source);
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <ul className="tiles">
        <Tile figure={now.overdue} label="Overdue" href={queue(openWorkFilters.overdue)} isBad />
        <Tile figure={now.askTraveller} label="Ask the traveller" href={queue(openWorkFilters.askTraveller)} />
        <Tile figure={now.travellerAsked} label="Traveller asked" href={queue(openWorkFilters.travellerAsked)} />
        <Tile
          figure={now.travellersToInform}
          label="Travellers to inform"
          href={queue(openWorkFilters.travellersToInform)}
        />
        <Tile
          figure={now.effectsPending}
          label="Accept or cancel pending"
          href={queue(openWorkFilters.effectsPending)}
        />
        <Tile
          figure={now.effectsFailed}
          label="Accept or cancel failed or unknown"
          href={queue(openWorkFilters.effectsFailed)}
          isBad
        />
        <Tile figure={now.effectsUnknown} label="Outcome unknown" href={blockedHref(source)} isBad />
        <Tile figure={now.blocked} label="Blocked orders" href={blockedHref(source)} isBad />
        {now.queues.map(({ queue: name, waiting, overdue }) => (
          <Tile
            key={name}
            figure={waiting}
            label={`Waiting: ${describeQueue(name)}`}
            note={overdue === 0 ? "" : `${overdue.toLocaleString("en")} overdue`}
            href={queue(openWorkFilters.ofQueue(name))}
          />
        ))}
      </ul>
      {now.open === 0 ? (
        <p className="quiet">No case is open.</p>
      ) : (
        <DataTable
          caption={`${now.open.toLocaleString("en")} open cases by severity and age`}
          look="figures"
          items={now.severities}
          keyOf={({ severity }) => severity ?? "unknown"}
          columns={[
            {
              title: "Severity",
              cell: ({ severity }) => (
                <Link href={queue(openWorkFilters.ofSeverity(severity))}>
                  {severityFilterWords[severity ?? "unknown"]}
                </Link>
              ),
            },
            { title: "Open", cell: ({ open }) => open.toLocaleString("en") },
            { title: "< 1 h", cell: ({ ages }) => ages.hour.toLocaleString("en") },
            { title: "< 4 h", cell: ({ ages }) => ages["four-hours"].toLocaleString("en") },
            { title: "< 1 day", cell: ({ ages }) => ages.day.toLocaleString("en") },
            { title: "Older", cell: ({ ages }) => ages.older.toLocaleString("en") },
          ]}
        />
      )}
    </section>
  );
}
