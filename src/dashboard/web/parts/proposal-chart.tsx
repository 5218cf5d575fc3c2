import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { OverviewFigures } from "../api/responses.ts";

type Point = OverviewFigures["range"]["overTime"][number] & { readonly label: string };

const series = [
  { name: "Accepted or cancelled automatically", tone: "good", of: (point: Point) => point.accepted + point.cancelled },
  { name: "Asked or waited", tone: "warn", of: (point: Point) => point.asked + point.waited },
  { name: "Reviewed by people", tone: "bad", of: (point: Point) => point.reviewed },
  { name: "Nothing to do", tone: "plain", of: (point: Point) => point.closed },
] as const;

/** The picture is for the eye only; the table below it says the same. */
export function ProposalChart({ points, summary }: { readonly points: readonly Point[]; readonly summary: string }) {
  const rows = points.map((point) => ({
    label: point.label,
    ...Object.fromEntries(series.map(({ name, of }) => [name, of(point)])),
  }));
  return (
    <figure className="proposal-chart">
      <figcaption>{summary}</figcaption>
      <ul className="legend" aria-hidden="true">
        {series.map(({ name, tone }) => (
          <li key={name} className={`legend-${tone}`}>
            {name}
          </li>
        ))}
      </ul>
      <div className="picture" aria-hidden="true">
        <ResponsiveContainer width="100%" height={220}>
          <BarChart data={rows} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: -16 }}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="label"
              tick={{ fill: "var(--ink-quiet)", fontSize: 12 }}
              stroke="var(--line)"
              minTickGap={24}
            />
            <YAxis allowDecimals={false} tick={{ fill: "var(--ink-quiet)", fontSize: 12 }} stroke="var(--line)" />
            <Tooltip
              cursor={{ fill: "var(--raised)" }}
              contentStyle={{ background: "var(--surface)", borderColor: "var(--line)" }}
              itemStyle={{ color: "var(--ink)" }}
            />
            {series.map(({ name, tone }) => (
              <Bar key={name} dataKey={name} stackId="all" fill={`var(--chart-${tone})`} isAnimationActive={false} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details>
        <summary>Show as a table</summary>
        <div className="table-box">
          <table className="cases cards figures">
            <thead>
              <tr>
                <th scope="col">When</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.at}>
                  <th scope="row">{point.label}</th>
                  {series.map(({ name, of }) => (
                    <td key={name} data-label={name}>
                      {of(point).toLocaleString("en")}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
