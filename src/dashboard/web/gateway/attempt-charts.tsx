import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { counted } from "../../../kernel/counted.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { TimeChart } from "../components/time-chart.tsx";
import { When } from "../components/when.tsx";
import { describeOutcome } from "../deliveries/delivery-words.ts";
import { formatInstant } from "../labels/moments.ts";
import { type AttemptFigures, callGateway } from "./gateway-api.ts";

type Point = AttemptFigures["steps"][number] & { readonly label: string };

const outcome = (name: "delivered" | "refused" | "failed") =>
  describeOutcome({ outcome: name, httpStatus: null }).label;
const outcomes = [
  { name: outcome("delivered"), tone: "good", of: (point: Point) => point.acknowledged },
  { name: outcome("refused"), tone: "warn", of: (point: Point) => point.refused },
  { name: outcome("failed"), tone: "bad", of: (point: Point) => point.failed },
] as const;
const latencies = [
  { name: "Median (p50)", tone: "good", of: (point: Point) => point.medianMs },
  { name: "95 % within (p95)", tone: "warn", of: (point: Point) => point.p95Ms },
] as const;

/** The figures are added up for each reader, so they are read less often than what needs somebody. */
const refreshMs = 30_000;

/** How attempts ended and how long recipients took to respond, over the last hours. */
export function AttemptCharts({ hours }: { readonly hours: number }) {
  const figures = useQuery({
    queryKey: ["traffic", "attempts", hours],
    queryFn: () =>
      callGateway("GET /traffic/attempts", {
        query: { since: new Date(Date.now() - hours * 3_600_000).toISOString() },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  if (figures.isPending) return <Loading label="Loading the attempts" />;
  if (figures.isError) return <ErrorCallout problem={figures.error} onRetry={() => void figures.refetch()} />;
  const { since, steps, total } = figures.data;
  const attempts = total.acknowledged + total.refused + total.failed;
  if (attempts === 0) return <p className="quiet">No attempt in this time.</p>;
  const now = new Date();
  const points = steps.map((step) => ({ ...step, label: formatInstant(new Date(step.at), now) }));
  return (
    <section aria-label="Attempts">
      {attempts < countedMax ? null : (
        <p className="quiet">
          The newest {attempts.toLocaleString("en")} attempts are counted, since <When at={since} />.
        </p>
      )}
      <div className="charts">
        <TimeChart form="bars" height={160} points={points} series={outcomes} summary={describeAttempts(total)} />
        <TimeChart
          form="lines"
          height={160}
          points={points}
          series={latencies}
          format={formatMs}
          summary={describeLatency(total)}
        />
      </div>
    </section>
  );
}

/** No more are counted; see docs/sender.md. */
const countedMax = 100_000;

function describeAttempts({ acknowledged, refused, failed }: AttemptFigures["total"]): string {
  const attempts = acknowledged + refused + failed;
  const all = counted(attempts, "attempt");
  if (acknowledged === attempts) return `${all}, all acknowledged.`;
  const bad = [`${refused.toLocaleString("en")} not acknowledged`, `${failed.toLocaleString("en")} without a response`];
  return `${all}: ${acknowledged.toLocaleString("en")} acknowledged, ${bad.join(", ")}.`;
}

function describeLatency({ medianMs, p95Ms }: AttemptFigures["total"]): string {
  if (medianMs === null || p95Ms === null) return "No response in this time.";
  return `Half of the responses took at most ${formatMs(medianMs)}, 95 % at most ${formatMs(p95Ms)}.`;
}

function formatMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
