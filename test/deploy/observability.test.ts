import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { openParts } from "../../src/app/process-parts.ts";
import { defaultProcessTiming } from "../../src/app/process-timing.ts";
import { startDashboard } from "../../src/app/roles/dashboard.ts";
import { startReceiver } from "../../src/app/roles/receiver.ts";
import { startSender } from "../../src/app/roles/sender.ts";
import { startWorker } from "../../src/app/roles/worker.ts";
import { createShutdown } from "../../src/app/shutdown.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { gatewayErrorCodes } from "../../src/contract/failed-call.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { receiverErrors } from "../../src/receiver/receiver-problems.ts";
import { createLogger } from "../../src/telemetry/json-logger.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { hasProgram, runProgram } from "./find-program.ts";
import { readExpression } from "./read-expression.ts";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const rules = parse(read("deploy/prometheus/alerts.yaml")) as { groups: readonly { rules: readonly Alert[] }[] };
const alerts = rules.groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read("deploy/grafana/dashboard.json")) as { readonly panels: readonly Panel[] };
const operations = read("docs/operations.md");
const scaledObject = read("deploy/kubernetes/autoscaling/scaled-object.yaml");

const expressions = [
  ...alerts.map(({ alert, expr }) => ({ name: `the alert ${alert}`, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => ({ name: `the panel ${title}`, expr })),
  ),
  { name: "KEDA", expr: /query: (.+)/.exec(scaledObject)![1]! },
];

/** What Prometheus adds to every series. */
const scrapeLabels = ["job", "instance"];
/** The labels of each series that a process shows, by its name. */
const labelsOf = new Map<string, readonly string[]>([["up", []]]);
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  const loaded = loadSettings(
    {
      DATABASE_URL: db.serviceUrl,
      ENCRYPTION_KEYS: createEncryptionKey(new Date("2027-01-01T00:00:00Z")),
      OCN_BASIC_USERNAME: "gateway",
      OCN_BASIC_PASSWORD: "password-of-the-gateway",
      GATEWAY_BASE_URL: "http://127.0.0.1:1",
      GATEWAY_ACCESS_TOKEN: "access",
      API_TOKEN: "api",
    },
    () => "",
  );
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const logger = createLogger({ level: "silent" });
  const shutdown = createShutdown(logger);
  const storage = { ownerUrl: "", serviceUrl: db.serviceUrl, place: "", encryptionKeys: [], stop: async () => {} };
  const { configuration } = loaded;
  const parts = openParts({ configuration, timing: defaultProcessTiming, storage, logger, shutdown });
  try {
    await startSender(parts);
    await startWorker(parts);
    startReceiver(parts);
    await startDashboard(parts);
    for (const { name, type, labelNames } of parts.metrics.registry.getMetricsAsArray() as unknown as Metric[]) {
      if (type !== "histogram") labelsOf.set(name, labelNames);
      else for (const suffix of ["_bucket", "_sum", "_count"]) labelsOf.set(`${name}${suffix}`, [...labelNames, "le"]);
    }
  } finally {
    await shutdown.run();
  }
});
afterAll(() => db.drop());

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** The metrics and labels that no process shows. */
function unknownIn(expr: string): readonly string[] {
  const { selectors, groupings } = readExpression(expr);
  const known = selectors.flatMap(({ metric }) => labelsOf.get(metric) ?? []);
  return [
    ...selectors.flatMap(({ metric, labels }) => {
      const own = labelsOf.get(metric);
      if (own === undefined) return [metric];
      return labels.filter((label) => !own.includes(label) && !scrapeLabels.includes(label));
    }),
    ...groupings.filter((label) => !known.includes(label) && !scrapeLabels.includes(label)),
  ];
}

describe("the expressions", () => {
  test.each(expressions)("of $name name metrics and labels that a process has", ({ expr }) => {
    expect(readExpression(expr).selectors.length).toBeGreaterThan(0);
    expect(unknownIn(expr)).toEqual([]);
  });

  test.each([
    ["max(skedchange_gone)", ["skedchange_gone"]],
    ['sum by (state) (rate(skedchange_effects_total{colour="red"}[5m]))', ["colour"]],
    ["histogram_quantile(0.9, sum by (le, colour) (rate(skedchange_ack_seconds_bucket[5m])))", ["colour"]],
    ["absent(skedchange_cases_due) and on(colour) up", ["colour"]],
    ["rate(skedchange_ack_seconds[5m])", ["skedchange_ack_seconds"]],
  ])("%s would be found", (expr, unknown) => {
    expect(unknownIn(expr)).toEqual(unknown);
  });

  test("of alerts name only outcomes that the receiver and the client of the gateway have", () => {
    const known = new Set<string>([...Object.values(receiverErrors), ...Object.values(gatewayErrorCodes)]);
    const named = alerts.flatMap(({ expr }) =>
      [...expr.matchAll(/"(receiver|gateway)\\\\\.\(([a-z_|]+)\)"/g)].flatMap(([, part, codes]) =>
        codes!.split("|").map((code) => `${part}.${code}`),
      ),
    );

    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((code) => !known.has(code))).toEqual([]);
  });
});

describe("the alerts", () => {
  test.each(alerts)("$alert says how urgent it is, what is wrong, and which runbook helps", (alert) => {
    expect(alert.alert).toMatch(/^Skedchange[A-Z][A-Za-z]+$/);
    expect(["page", "ticket"]).toContain(alert.labels.severity);
    expect(alert.annotations.summary).toMatch(/^.{20,120}$/);
    const [page, anchor] = alert.annotations.runbook.split("#");
    expect(page).toBe("docs/operations.md");
    const section = runbooks().find(({ heading }) => heading.toLowerCase().replaceAll(" ", "-") === anchor);
    expect(section?.text).toContain(`\`${alert.alert}\``);
  });

  test("every alert that a runbook names is there", () => {
    const named = runbooks().flatMap(({ text }) => [...text.matchAll(/`(Skedchange\w+)`/g)].map(([, name]) => name!));

    expect(named.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  // Not every machine has it. Debian: apt-get install prometheus.
  const ifPromtool = hasProgram("promtool", "--version") ? test : test.skip;
  ifPromtool("are rules that Prometheus takes", () => {
    const output = runProgram(
      "promtool",
      "check",
      "rules",
      fileURLToPath(new URL("deploy/prometheus/alerts.yaml", root)),
    );

    expect(output).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  ifPromtool("come when they should, and not otherwise", () => {
    const file = fileURLToPath(new URL("alerts.promtool.yaml", import.meta.url));

    expect(runProgram("promtool", "test", "rules", file)).toContain("SUCCESS");
  });
});

function runbooks(): readonly { readonly heading: string; readonly text: string }[] {
  const [, ...sections] = operations.slice(operations.indexOf("\n## Runbooks\n")).split(/^### /m);
  return sections.map((section) => ({ heading: section.slice(0, section.indexOf("\n")), text: section }));
}

describe("the dashboard", () => {
  test("names in each legend labels that its expression keeps", () => {
    for (const { title, targets } of dashboard.panels) {
      for (const { expr, legendFormat } of targets) {
        const labels = [...readExpression(expr).groupings, ...scrapeLabels];
        const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        expect({ title, unknown: named.filter((label) => !labels.includes(label)) }).toEqual({ title, unknown: [] });
      }
    }
  });

  test("has panels that do not cover each other", () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of dashboard.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect({ title, covers: taken.get(`${x} ${y}`) }).toEqual({ title, covers: undefined });
          taken.set(`${x} ${y}`, title);
        }
      }
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    }
  });
});
