import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { formatAmount } from "../../../travel/money.ts";
import type { OverviewFigures } from "../api/responses.ts";
import { DataTable } from "../components/data-table.tsx";
import { formatDuration, formatInstant, formatLocalDate } from "../labels/moments.ts";
import type { QueueFilters } from "../queue/queue-filters.ts";
import { rangeHref } from "./figure-links.ts";
import { ProposalChart } from "./proposal-chart.tsx";
import { Tile } from "./tile.tsx";

type Range = OverviewFigures["range"];
type Proposals = Pick<Range["proposals"], "decided" | "accepted" | "cancelled" | "asked" | "waited" | "reviewed">;

/** Shows what happened in a range of time. */
export function RangeFigures({ range, source }: { readonly range: Range; readonly source: string }) {
  const { proposals, timeToDecision, decisions, effects } = range;
  const cases = (filters: Partial<QueueFilters>) => rangeHref(filters, range, source);
  return (
    <>
      <ul className="tiles">
        <Tile figure={range.notifications} label="Notifications received" />
        <Tile
          figure={automationRate(proposals)}
          label="Automation rate"
          note={`${(proposals.accepted + proposals.cancelled).toLocaleString("en")} of ${counted(proposals.decided, "proposal")}`}
        />
        <Tile
          figure={decisions.policy + decisions.people}
          label="Decisions"
          note={`${decisions.people.toLocaleString("en")} by people`}
        />
        <Tile
          figure={durationOf(timeToDecision.policy.medianSeconds)}
          label="To decide automatically"
          note={tailOf(timeToDecision.policy)}
        />
        <Tile
          figure={durationOf(timeToDecision.people.medianSeconds)}
          label="To decide by people"
          note={tailOf(timeToDecision.people)}
        />
        <Tile figure={range.deadlinesMissed} label="Deadlines missed" isBad />
        <Tile
          figure={effects.failed}
          label="Accepts and cancels failed"
          note={`${effects.accepts.toLocaleString("en")} accepted, ${effects.cancels.toLocaleString("en")} cancelled`}
          isBad
        />
      </ul>
      {proposals.decided === 0 ? (
        <p className="quiet">No proposal was decided in this range.</p>
      ) : (
        <>
          <h3>Proposals by {range.step}, by what was decided first</h3>
          <ProposalChart
            points={range.overTime.map((point) => ({ ...point, label: pointLabel(point.at, range.step) }))}
            summary={`The policy decided to accept or cancel ${automationRate(proposals)} of ${counted(proposals.decided, "proposal")}.`}
          />
          <div className="overview-pair">
            <AirlineTable
              airlines={range.airlines}
              others={range.otherAirlines}
              linkOf={(airline) => cases({ airline })}
            />
            <RuleTable rules={range.rules} linkOf={(rule) => cases({ rule })} />
          </div>
        </>
      )}
      <Refunds refunds={range.refunds} />
    </>
  );
}

interface AirlineTableProps {
  readonly airlines: Range["airlines"];
  readonly others: Proposals;
  readonly linkOf: (airline: string) => string;
}

const allOthers = "All others";

function AirlineTable({ airlines, others, linkOf }: AirlineTableProps) {
  const rows = others.decided === 0 ? airlines : [...airlines, { ...others, airline: allOthers }];
  return (
    <DataTable
      caption="By airline"
      look="figures"
      items={rows}
      keyOf={({ airline }) => airline ?? ""}
      columns={[
        {
          title: "Airline",
          cell: ({ airline }) =>
            airline === null || airline === allOthers ? (
              (airline ?? "Unknown")
            ) : (
              <Link href={linkOf(airline)}>{airline}</Link>
            ),
        },
        { title: "Automation rate", cell: automationRate },
        { title: "Proposals", cell: ({ decided }) => decided.toLocaleString("en") },
        { title: "Reviewed", cell: ({ reviewed }) => reviewed.toLocaleString("en") },
        { title: "Ask traveller or wait", cell: ({ asked, waited }) => (asked + waited).toLocaleString("en") },
      ]}
    />
  );
}

function RuleTable({ rules, linkOf }: { readonly rules: Range["rules"]; readonly linkOf: (rule: string) => string }) {
  if (rules.length === 0) return <p className="quiet">No rule asked for a review.</p>;
  return (
    <DataTable
      caption="What reviews cost"
      look="figures"
      items={rules.map((each) => ({ ...each, decided: each.accepted + each.cancelled + each.closed }))}
      keyOf={({ rule }) => rule}
      columns={[
        { title: "Rule or check", cell: ({ rule }) => <Link href={linkOf(rule)}>{rule}</Link> },
        { title: "Reviews", cell: ({ reviews }) => reviews.toLocaleString("en") },
        { title: "Decided by people", cell: ({ decided }) => decided.toLocaleString("en") },
        { title: "Then accepted", cell: ({ accepted, decided }) => shareOf(accepted, decided) },
      ]}
    />
  );
}

function Refunds({ refunds }: { readonly refunds: Range["refunds"] }) {
  if (refunds.length === 0) return null;
  return (
    <DataTable
      caption="Refunds of cancelled orders"
      look="figures"
      items={refunds}
      keyOf={({ currency }) => currency ?? ""}
      columns={[
        { title: "Currency", cell: ({ currency }) => currency ?? "Unknown" },
        { title: "Cancelled", cell: ({ cancels }) => cancels.toLocaleString("en") },
        {
          title: "Expected",
          cell: ({ currency, expected }) => (currency === null ? "—" : formatAmount(expected, currency)),
        },
        { title: "Answered by the gateway", cell: ({ currency, answered }) => formatAmount(answered, currency) },
        { title: "Without an answer", cell: ({ cancels, stated }) => (cancels - stated).toLocaleString("en") },
      ]}
    />
  );
}

function automationRate({ accepted, cancelled, decided }: Proposals): string {
  return shareOf(accepted + cancelled, decided);
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? "—" : `${((part / whole) * 100).toFixed(0)} %`;
}

function durationOf(seconds: number | null): string {
  if (seconds === null) return "—";
  return seconds < 10 ? `${seconds.toFixed(1)} s` : formatDuration(seconds);
}

function tailOf({ p90Seconds }: Range["timeToDecision"]["people"]): string {
  return p90Seconds === null ? "median; nothing decided" : `median; 9 of 10 within ${durationOf(p90Seconds)}`;
}

function pointLabel(at: string, step: Range["step"]): string {
  return step === "day" ? formatLocalDate(at) : formatInstant(new Date(at), new Date());
}
