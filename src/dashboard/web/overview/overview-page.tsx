import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { call } from "../api/api-client.ts";
import { useRead } from "../api/hooks.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { SourceSelect } from "../components/source-select.tsx";
import { browserZone, formatInstant } from "../labels/moments.ts";
import { NowFigures } from "./now-figures.tsx";
import { RangeFigures } from "./range-figures.tsx";
import { defaultRange, instantsOf, ownRange, type PickedRange, RangePicker } from "./range-picker.tsx";
import "./overview-page.css";

const refreshMs = 60_000;

export function OverviewPage() {
  const [parameters, setParameters] = useSearchParams();
  const source = parameters.get("source") ?? "";
  const picked = {
    range: parameters.get("range") ?? defaultRange,
    from: parameters.get("from") ?? "",
    to: parameters.get("to") ?? "",
  };
  const figures = useQuery({
    queryKey: ["overview", picked, source],
    queryFn: () => call("GET /overview", { query: { ...instantsOf(picked), source, zone: browserZone } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const policies = useRead("GET /policies", {});
  /** Writes what is chosen into the address of the page. */
  const show = (changes: Partial<PickedRange & { source: string }>, replace: boolean): void => {
    const chosen = Object.entries({ ...picked, source, ...changes }).filter(([, value]) => value !== "");
    setParameters(Object.fromEntries(chosen), { replace });
  };
  return (
    <>
      <div className="page-head">
        <h1>Overview</h1>
        <p className="quiet">
          {figures.data === undefined ? "" : `As of ${formatInstant(new Date(figures.data.asOf), new Date())}.`}
        </p>
      </div>
      <div className="filters overview-filters">
        <SourceSelect
          sources={policies.data?.sources.map((each) => each.source) ?? []}
          value={source}
          onChange={(chosen) => show({ source: chosen }, true)}
        />
      </div>
      {figures.isError ? <ErrorCallout problem={figures.error} onRetry={() => void figures.refetch()} /> : null}
      {figures.isPending ? <Loading label="Loading the overview" /> : null}
      {figures.data === undefined ? null : <NowFigures now={figures.data.now} source={source} />}
      <section aria-labelledby="in-range">
        <div className="overview-head">
          <h2 id="in-range">What happened</h2>
          <RangePicker picked={picked} onPick={(next) => show(next, next.range === ownRange)} />
        </div>
        {figures.data === undefined ? null : <RangeFigures range={figures.data.range} source={source} />}
      </section>
    </>
  );
}
