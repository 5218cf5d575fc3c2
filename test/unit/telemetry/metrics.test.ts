import { expect, test } from "vitest";
import { createMetrics, watchCounts } from "../../../src/telemetry/metrics.ts";

test("deliveries are counted from 0, so that the first dead letter is an increase", async () => {
  const { registry } = createMetrics();

  expect(await registry.getSingleMetricAsString("skedchange_deliveries_total")).toContain('{outcome="dead"} 0');
});

test("a watched count shows a value for each thing that there is now, and nothing while it cannot be read", async () => {
  const metrics = createMetrics();
  let read: () => Promise<ReadonlyMap<string, number>> = async () => new Map([["acme", 2]]);
  watchCounts(metrics, { name: "skedchange_watched", help: "Watched.", label: "source", read: () => read() });
  const values = async () =>
    (await metrics.registry.getSingleMetricAsString("skedchange_watched"))
      .split("\n")
      .filter((line) => line[0] !== "#");

  expect(await values()).toEqual(['skedchange_watched{source="acme"} 2']);

  read = async () => new Map([["other", 1]]);
  expect(await values()).toEqual(['skedchange_watched{source="other"} 1']);

  read = async () => {
    throw new Error("the database is away");
  };
  expect(await values()).toEqual([]);
});
