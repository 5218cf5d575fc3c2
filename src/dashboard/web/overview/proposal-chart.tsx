import type { OverviewFigures } from "../api/responses.ts";
import { TimeChart } from "../components/time-chart.tsx";

type Point = OverviewFigures["range"]["overTime"][number] & { readonly label: string };

const series = [
  { name: "Accepted or cancelled automatically", tone: "good", of: (point: Point) => point.accepted + point.cancelled },
  { name: "Ask traveller or wait", tone: "warn", of: (point: Point) => point.asked + point.waited },
  { name: "Reviewed by people", tone: "bad", of: (point: Point) => point.reviewed },
  { name: "Nothing to do", tone: "plain", of: (point: Point) => point.closed },
] as const;

export function ProposalChart({ points, summary }: { readonly points: readonly Point[]; readonly summary: string }) {
  return <TimeChart form="bars" points={points} series={series} summary={summary} />;
}
