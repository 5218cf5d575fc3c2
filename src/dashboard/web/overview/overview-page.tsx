import { NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { formatAmount } from "../../../travel/money.ts";
import { call } from "../api/api-client.ts";
import { useRead } from "../api/hooks.ts";
import type { OverviewFigures } from "../api/responses.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import {
  browserZone,
  formatDuration,
  formatInstant,
  formatLocalDate,
  parseInstant,
  toLocalInput,
} from "../labels/moments.ts";
import { describeQueue } from "../labels/state-words.ts";
import { type QueueFilters, severityFilterWords } from "../queue/queue-filters.ts";
import { blockedHref, openWorkFilters, openWorkHref, rangeHref } from "./figure-links.ts";
import { ProposalChart } from "./proposal-chart.tsx";
import "./overview-page.css";

type Now = OverviewFigures["now"];
type Range = OverviewFigures["range"];
type Proposals = Pick<Range["proposals"], "decided" | "accepted" | "cancelled" | "asked" | "waited" | "reviewed">;

const hourMs = 3_600_000;
const presets = [
  { value: "24h", label: "24 h", ms: 24 * hourMs },
  { value: "7d", label: "7 days", ms: 7 * 24 * hourMs },
  { value: "30d", label: "30 days", ms: 30 * 24 * hourMs },
  { value: "90d", label: "90 days", ms: 90 * 24 * hourMs },
] as const;
const ownRange = "own";
const refreshMs = 60_000;

export function OverviewPage() {
  const [parameters, setParameters] = useSearchParams();
  const range = parameters.get("range") ?? "7d";
  const from = parameters.get("from") ?? "";
  const to = parameters.get("to") ?? "";
  const source = parameters.get("source") ?? "";
  const change = (changes: Readonly<Record<string, string>>): void =>
    setParameters((current) => new URLSearchParams({ ...Object.fromEntries(current), ...changes }), { replace: true });
  const figures = useQuery({
    queryKey: ["overview", range, from, to, source],
    queryFn: () => call("GET /overview", { query: { ...instantsOf({ range, from, to }), source, zone: browserZone } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const policies = useRead("GET /policies", {});
  const sources = policies.data?.sources.map((each) => each.source) ?? [];
  const choose = (value: string): void => {
    if (value !== ownRange) return setParameters({ range: value, ...(source === "" ? {} : { source }) });
    const begin = instantsOf({ range, from, to });
    change({ range: ownRange, from: begin.from, to: begin.to });
  };
  return (
    <>
      <div className="page-head">
        <h1>Overview</h1>
        <p className="quiet">
          {figures.data === undefined ? "" : `As of ${formatInstant(new Date(figures.data.asOf), new Date())}.`}
        </p>
      </div>
      {sources.length < 2 && source === "" ? null : (
        <div className="filters">
          <NativeSelect
            aria-label="Source"
            data={[{ value: "", label: "All sources" }, ...new Set([...sources, source].filter((name) => name !== ""))]}
            value={source}
            onChange={(event) => change({ source: event.currentTarget.value })}
          />
        </div>
      )}
      {figures.isError ? <ErrorCallout problem={figures.error} onRetry={() => void figures.refetch()} /> : null}
      {figures.isPending ? <Loading label="Loading the overview" /> : null}
      {figures.data === undefined ? null : <NowFigures now={figures.data.now} source={source} />}
      <section aria-labelledby="in-range">
        <div className="overview-head">
          <h2 id="in-range">What happened</h2>
          <SegmentedControl
            aria-label="Range of time"
            data={[...presets.map(({ value, label }) => ({ value, label })), { value: ownRange, label: "Own" }]}
            value={range}
            onChange={choose}
          />
          {range === ownRange ? <OwnRange from={from} to={to} onChange={change} /> : null}
        </div>
        {figures.data === undefined ? null : <RangeView range={figures.data.range} source={source} />}
      </section>
    </>
  );
}

function instantsOf({ range, from, to }: { readonly range: string; readonly from: string; readonly to: string }) {
  if (range === ownRange) return { from, to };
  const ms = presets.find(({ value }) => value === range)?.ms ?? presets[1].ms;
  const now = new Date();
  return { from: new Date(now.getTime() - ms).toISOString(), to: now.toISOString() };
}

function OwnRange(props: {
  readonly from: string;
  readonly to: string;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
}) {
  const field = (name: "from" | "to", label: string): ReactNode => (
    <InstantField label={label} at={props[name]} onChange={(at) => props.onChange({ [name]: at })} />
  );
  return (
    <>
      {field("from", "From")}
      {field("to", "To")}
    </>
  );
}

function InstantField({
  label,
  at,
  onChange,
}: {
  readonly label: string;
  readonly at: string;
  readonly onChange: (at: string) => void;
}) {
  const [text, setText] = useState(() => (at === "" ? "" : toLocalInput(new Date(at))));
  return (
    <TextInput
      type="datetime-local"
      aria-label={label}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        const instant = parseInstant(event.currentTarget.value);
        if (instant !== null) onChange(instant.toISOString());
      }}
    />
  );
}

// ----------------------------------------------------------------------------------------------------- now

function NowFigures({ now, source }: { readonly now: Now; readonly source: string }) {
  const queue = (filters: Partial<QueueFilters>) => openWorkHref(filters, source);
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <ul className="tiles">
        <Tile figure={now.overdue} label="Overdue" href={queue(openWorkFilters.overdue)} isBad />
        <Tile figure={now.askTraveller} label="Ask the traveller" href={queue(openWorkFilters.askTraveller)} />
        <Tile figure={now.travellerAsked} label="Traveller asked" href={queue(openWorkFilters.travellerAsked)} />
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
        <FigureTable
          caption={`${now.open.toLocaleString("en")} open cases by severity and age`}
          columns={["Severity", "Open", "< 1 h", "< 4 h", "< 1 day", "Older"]}
          rows={now.severities.map(({ severity, open, ages }) => ({
            key: severity ?? "unknown",
            head: (
              <Link href={queue(openWorkFilters.ofSeverity(severity))}>
                {severityFilterWords[severity ?? "unknown"]}
              </Link>
            ),
            cells: [open, ages.hour, ages["four-hours"], ages.day, ages.older].map(inWords),
          }))}
        />
      )}
    </section>
  );
}

interface TileProps {
  readonly figure: ReactNode;
  readonly label: string;
  readonly note?: string;
  readonly href?: string;
  /** Whether anything but 0 needs somebody. */
  readonly isBad?: boolean;
}

function Tile({ figure, label, note = "", href, isBad = false }: TileProps) {
  const shown = typeof figure === "number" ? figure.toLocaleString("en") : figure;
  const content = (
    <>
      <strong>{shown}</strong>
      <span>{label}</span>
      {note === "" ? null : <span className="quiet">{note}</span>}
    </>
  );
  return (
    <li className={isBad && figure !== 0 ? "tile bad" : "tile"}>
      {href === undefined ? <div>{content}</div> : <Link href={href}>{content}</Link>}
    </li>
  );
}

// ---------------------------------------------------------------------------------------------- in a range of time

function RangeView({ range, source }: { readonly range: Range; readonly source: string }) {
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

function AirlineTable({ airlines, others, linkOf }: AirlineTableProps) {
  const rows = others.decided === 0 ? airlines : [...airlines, { ...others, airline: "All others" }];
  return (
    <FigureTable
      caption="By airline"
      columns={["Airline", "Automation rate", "Proposals", "Reviewed", "Ask traveller or wait"]}
      rows={rows.map((counts) => ({
        key: counts.airline ?? "",
        head:
          counts.airline === null || counts.airline === "All others" ? (
            (counts.airline ?? "Unknown")
          ) : (
            <Link href={linkOf(counts.airline)}>{counts.airline}</Link>
          ),
        cells: [
          automationRate(counts),
          inWords(counts.decided),
          inWords(counts.reviewed),
          inWords(counts.asked + counts.waited),
        ],
      }))}
    />
  );
}

function RuleTable({ rules, linkOf }: { readonly rules: Range["rules"]; readonly linkOf: (rule: string) => string }) {
  if (rules.length === 0) return <p className="quiet">No rule asked for a review.</p>;
  return (
    <FigureTable
      caption="What reviews cost"
      columns={["Rule or check", "Reviews", "Decided by people", "Then accepted"]}
      rows={rules.map(({ rule, reviews, accepted, cancelled, closed }) => {
        const decided = accepted + cancelled + closed;
        return {
          key: rule,
          head: <Link href={linkOf(rule)}>{rule}</Link>,
          cells: [inWords(reviews), inWords(decided), decided === 0 ? "—" : percent(accepted / decided)],
        };
      })}
    />
  );
}

function Refunds({ refunds }: { readonly refunds: Range["refunds"] }) {
  if (refunds.length === 0) return null;
  return (
    <FigureTable
      caption="Refunds of cancelled orders"
      columns={["Currency", "Cancelled", "Expected", "Answered by the gateway", "Without an answer"]}
      rows={refunds.map(({ currency, cancels, expected, answered, stated }) => ({
        key: currency ?? "",
        head: currency ?? "Unknown",
        cells: [
          inWords(cancels),
          currency === null ? "—" : formatAmount(expected, currency),
          formatAmount(answered, currency),
          inWords(cancels - stated),
        ],
      }))}
    />
  );
}

interface FigureTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly head: ReactNode; readonly cells: readonly string[] }[];
}

function FigureTable({ caption, columns, rows }: FigureTableProps) {
  return (
    <div className="table-box">
      <table className="cases cards figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, head, cells }) => (
            <tr key={key}>
              <th scope="row">{head}</th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} data-label={columns[at + 1]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function automationRate({ accepted, cancelled, decided }: Proposals): string {
  return decided === 0 ? "—" : percent((accepted + cancelled) / decided);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function inWords(count: number): string {
  return count.toLocaleString("en");
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
