import type { ReactNode } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipValueType,
  XAxis,
  YAxis,
} from "recharts";
import { DataTable } from "./data-table.tsx";
import "./time-chart.css";

interface Series<Point> {
  readonly name: string;
  readonly tone: "good" | "warn" | "bad" | "plain";
  /** Null where there is nothing to show. */
  readonly of: (point: Point) => number | null;
}

interface TimeChartProps<Point> {
  /** Bars stand on each other, lines do not. */
  readonly form: "bars" | "lines";
  /** What the picture says. */
  readonly summary: ReactNode;
  readonly points: readonly Point[];
  readonly series: readonly Series<Point>[];
  readonly height?: number;
  readonly format?: (value: number) => string;
}

/** The picture is for the eye only; the table below it says the same. */
export function TimeChart<Point extends { readonly at: string; readonly label: string }>(props: TimeChartProps<Point>) {
  const { summary, points, series, form, height = 220, format = inWords } = props;
  const rows = points.map((point) => ({
    label: point.label,
    ...Object.fromEntries(series.map(({ name, of }) => [name, of(point)])),
  }));
  const Picture = form === "bars" ? BarChart : LineChart;
  return (
    <figure className="time-chart">
      <figcaption>{summary}</figcaption>
      <ul className="legend" aria-hidden="true">
        {series.map(({ name, tone }) => (
          <li key={name} className={`legend-${tone}`}>
            {name}
          </li>
        ))}
      </ul>
      <div className="picture" aria-hidden="true">
        <ResponsiveContainer width="100%" height={height}>
          <Picture data={rows} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis dataKey="label" tick={tick} stroke="var(--line)" minTickGap={24} />
            <YAxis allowDecimals={false} tick={tick} stroke="var(--line)" width="auto" tickFormatter={format} />
            <Tooltip
              cursor={form === "bars" ? { fill: "var(--raised)" } : { stroke: "var(--line)" }}
              contentStyle={{ background: "var(--surface)", borderColor: "var(--line)" }}
              itemStyle={{ color: "var(--ink)" }}
              formatter={(value: TooltipValueType | undefined) => format(Number(value))}
            />
            {series.map(({ name, tone }) =>
              form === "bars" ? (
                <Bar key={name} dataKey={name} stackId="all" fill={`var(--chart-${tone})`} isAnimationActive={false} />
              ) : (
                <Line
                  key={name}
                  dataKey={name}
                  type="linear"
                  stroke={`var(--chart-${tone})`}
                  strokeWidth={2}
                  dot={{ r: 2, fill: `var(--chart-${tone})` }}
                  isAnimationActive={false}
                />
              ),
            )}
          </Picture>
        </ResponsiveContainer>
      </div>
      <details>
        <summary>Show as a table</summary>
        <DataTable
          look="figures"
          items={points}
          keyOf={({ at }) => at}
          columns={[
            { title: "When", cell: ({ label }) => label },
            ...series.map(({ name, of }) => ({
              title: name,
              cell: (point: Point) => {
                const value = of(point);
                return value === null ? "–" : format(value);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
}

const tick = { fill: "var(--ink-quiet)", fontSize: 12 };

function inWords(value: number): string {
  return value.toLocaleString("en");
}
