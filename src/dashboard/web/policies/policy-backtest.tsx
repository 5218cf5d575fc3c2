import { Button, NativeSelect, Progress } from "@mantine/core";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { formatMoney } from "../../../travel/money.ts";
import { type BacktestProgress, runBacktest } from "../api/backtest-stream.ts";
import type { PolicyBacktest } from "../api/responses.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { When } from "../components/when.tsx";
import { describeOutcome } from "./policy-words.ts";

const periods = [
  { value: "7", label: "Last 7 days", period: { days: 7 } },
  { value: "30", label: "Last 30 days", period: { days: 30 } },
  { value: "90", label: "Last 90 days", period: { days: 90 } },
  { value: "newest-100", label: "Newest 100 notifications", period: { newest: 100 } },
  { value: "newest-1000", label: "Newest 1,000 notifications", period: { newest: 1_000 } },
] as const;

/** The last backtest of a version for a source, also of the text that became it. */
export function useLastBacktest(source: string, version: string | null): PolicyBacktest | null {
  const { data } = useQuery<PolicyBacktest>({ queryKey: backtestKey(source, version ?? ""), queryFn: skipToken });
  return data ?? null;
}

function backtestKey(source: string, version: string): readonly string[] {
  return ["policy-backtest", source, version];
}

interface BacktestPanelProps {
  readonly sources: readonly string[];
  readonly candidate: { readonly version: string } | { readonly text: string };
  /** The version of the candidate; null while its text has mistakes. */
  readonly version: string | null;
}

export function BacktestPanel({ sources, candidate, version }: BacktestPanelProps) {
  const queryClient = useQueryClient();
  const [chosenSource, setChosenSource] = useState<string | null>(null);
  // Until one is chosen, the first of the sources, which may not have been read yet.
  const source = chosenSource ?? sources[0] ?? "";
  const [period, setPeriod] = useState("30");
  const [progress, setProgress] = useState<BacktestProgress | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  const last = useLastBacktest(source, version);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setProblem(null);
    setProgress({ state: "waiting" });
    try {
      const chosen = periods.find(({ value }) => value === period) ?? periods[0];
      const result = await runBacktest({ source, ...candidate, ...chosen.period }, controller.signal, setProgress);
      queryClient.setQueryData(backtestKey(source, result.candidate.version), result);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(error);
    } finally {
      if (running.current === controller) setProgress(null);
    }
  };

  return (
    <section className="panel" aria-labelledby="backtest">
      <h2 id="backtest">Backtest</h2>
      <p className="quiet">
        Evaluates this policy and the active one over notifications that were received. Nothing is changed.
      </p>
      <form
        className="backtest-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {sources.length < 2 ? null : (
          <NativeSelect
            label="Source"
            data={[...sources]}
            value={source}
            disabled={progress !== null}
            onChange={(event) => setChosenSource(event.currentTarget.value)}
          />
        )}
        <NativeSelect
          label="Period"
          data={periods.map(({ value, label }) => ({ value, label }))}
          value={period}
          disabled={progress !== null}
          onChange={(event) => setPeriod(event.currentTarget.value)}
        />
        {progress === null ? (
          <Button type="submit" variant="default" disabled={version === null}>
            Run backtest
          </Button>
        ) : (
          <Button variant="default" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        )}
      </form>
      {version === null ? <p className="quiet">Fix the mistakes first.</p> : null}
      {progress === null ? null : <BacktestBar progress={progress} />}
      {problem === null ? null : <ErrorCallout problem={problem} title="The backtest did not finish" />}
      {progress === null && last !== null ? <BacktestResult backtest={last} /> : null}
    </section>
  );
}

function BacktestBar({ progress }: { readonly progress: BacktestProgress }) {
  const words =
    progress.state === "waiting"
      ? "Waiting for its turn …"
      : `${progress.done.toLocaleString("en")} of ${counted(progress.total, "notification")}`;
  const share = progress.state === "waiting" ? 0 : (100 * progress.done) / Math.max(progress.total, 1);
  return (
    <div role="status">
      <p className="quiet">{words}</p>
      <Progress value={share} aria-label="Progress of the backtest" />
    </div>
  );
}

/** The figures in sentences, and what they do not cover. */
export function BacktestSummary({ backtest }: { readonly backtest: PolicyBacktest }) {
  const { compared, flipped, unreadable, manual, minutesPerReview, notifications, since, until, active } = backtest;
  const more = manual.after - manual.before;
  return (
    <>
      <p>
        <strong>
          {flipped.toLocaleString("en")} of {decisions(compared)} would change.
        </strong>{" "}
        {more === 0
          ? `${count(manual.after)} need a person, as now.`
          : `${count(manual.after)} need a person, now ${count(manual.before)}: about ${describeMinutes(
              Math.abs(more) * minutesPerReview,
            )} ${more > 0 ? "more" : "less"} work.`}
      </p>
      <ul className="limits quiet">
        <li>
          Source {backtest.source}, compared with {active.name} <code>{active.version.slice(0, 12)}</code>,{" "}
          {since === null ? (
            "all notifications"
          ) : (
            <>
              notifications from <When at={since} />
            </>
          )}{" "}
          to <When at={until} />.
        </li>
        <li>
          Each notification is decided as if it was the first one of its order. Traveller answers, earlier changes and
          later readings of the booking are not replayed.
        </li>
        {notifications.isShortened ? (
          <li>
            The period has more notifications than one backtest evaluates. These are the newest{" "}
            {count(notifications.evaluated)}.
          </li>
        ) : null}
        {notifications.bodiesDeleted === 0 ? null : (
          <li>{count(notifications.bodiesDeleted)} more cannot be replayed, because their bodies are deleted.</li>
        )}
        {unreadable === 0 ? null : <li>{count(unreadable)} could not be read and are not counted.</li>}
      </ul>
    </>
  );
}

function BacktestResult({ backtest }: { readonly backtest: PolicyBacktest }) {
  return (
    <div className="backtest-result" role="region" aria-label="Result of the backtest">
      <BacktestSummary backtest={backtest} />
      {backtest.changes.map(({ from, to, count: changed, valueAtStake, examples }) => (
        <details key={`${from} ${to}`} open={backtest.changes.length === 1}>
          <summary>
            {describeOutcome(from)} → {describeOutcome(to)}: {decisions(changed)}
            {valueAtStake.length === 0
              ? ""
              : `, orders worth ${valueAtStake.map(({ amount, currency }) => formatMoney(amount, currency)).join(", ")}`}
          </summary>
          {examples.length < changed ? <p className="quiet">The first {examples.length} of them:</p> : null}
          <DataTable
            look="rules"
            items={examples}
            keyOf={({ notificationId, orderId }) => `${notificationId} ${orderId}`}
            columns={[
              {
                title: "Order",
                cell: ({ orderId, caseId }) =>
                  caseId === null ? orderId : <Link href={`/cases/${caseId}`}>{orderId}</Link>,
              },
              {
                title: "Rule of the active version",
                label: "Active",
                cell: ({ beforeRule }) => <code>{beforeRule}</code>,
              },
              {
                title: "Rule of this version",
                label: "This version",
                cell: ({ afterRule }) => <code>{afterRule}</code>,
              },
            ]}
          />
        </details>
      ))}
    </div>
  );
}

function count(of: number): string {
  return of.toLocaleString("en");
}

function decisions(of: number): string {
  return counted(of, "decision");
}

function describeMinutes(minutes: number): string {
  return minutes < 120 ? counted(Math.round(minutes), "minute") : counted(Math.round(minutes / 60), "hour");
}
