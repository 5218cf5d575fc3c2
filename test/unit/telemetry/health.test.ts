import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { AppError } from "../../../src/kernel/app-error.ts";
import { createReadyzHandler, serveHealthz } from "../../../src/telemetry/health.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics, createMetricsHandler, watchValue } from "../../../src/telemetry/metrics.ts";

let server: Server | null = null;
afterEach(async () => {
  await new Promise<void>((resolve) => {
    if (server === null) return resolve();
    server.close(() => resolve());
    server.closeAllConnections();
  });
});

async function ask(handler: RequestListener): Promise<Response> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe("/healthz", () => {
  test("says that the process is alive", async () => {
    const response = await ask(serveHealthz);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: "ok" });
  });
});

describe("/readyz", () => {
  test("is 200 when every part can be used", async () => {
    const response = await ask(createReadyzHandler([{ name: "database", isNeeded: true, check: async () => {} }]));

    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({ status: "ready", parts: [{ name: "database", ok: true }] });
  });

  test("stays 200 and names a part that fails while the process works without it", async () => {
    const response = await ask(
      createReadyzHandler([
        { name: "database", isNeeded: true, check: async () => {} },
        {
          name: "queue",
          isNeeded: false,
          check: async () => {
            throw new AppError("queue.unreachable", "Redis does not respond.");
          },
        },
      ]),
    );

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "ready",
      parts: [
        { name: "database", ok: true },
        { name: "queue", ok: false, problem: { code: "queue.unreachable", message: "Redis does not respond." } },
      ],
    });
  });

  test("runs the checks once for all who ask within a second, whoever they are", async () => {
    let runs = 0;
    const check = async () => {
      runs += 1;
    };
    const handler = createReadyzHandler([{ name: "database", isNeeded: true, check }], { showsParts: false });
    await ask((request, response) => void handler(request, response));
    const { port } = server!.address() as AddressInfo;

    const responses = await Promise.all(Array.from({ length: 10 }, () => fetch(`http://127.0.0.1:${port}/`)));

    expect(await Promise.all(responses.map((response) => response.json()))).toEqual(
      Array.from({ length: 10 }, () => ({ status: "ready" })),
    );
    expect(runs).toBe(1);
  });

  test("is 503 and names each part that cannot, without its credentials", async () => {
    const response = await ask(
      createReadyzHandler([
        { name: "queue", isNeeded: true, check: async () => {} },
        {
          name: "database",
          isNeeded: true,
          check: async () => {
            throw new AppError("store.schema_older", "postgres://u:secret@host lacks a migration.");
          },
        },
      ]),
    );

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      status: "not-ready",
      parts: [
        { name: "queue", ok: true },
        {
          name: "database",
          ok: false,
          problem: { code: "store.schema_older", message: "postgres://[redacted]@host lacks a migration." },
        },
      ],
    });
  });

  test("does not wait for a part that hangs", async () => {
    const response = await ask(
      createReadyzHandler([{ name: "queue", isNeeded: true, check: () => new Promise(() => {}) }], { timeoutMs: 20 }),
    );

    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      parts: [{ name: "queue", ok: false, problem: { code: "timeout", message: "No response within 0.02 s." } }],
    });
  });

  test("takes a check that throws at once for a failed one", async () => {
    const response = await ask(
      createReadyzHandler([
        {
          name: "queue",
          isNeeded: true,
          check: () => {
            throw new Error("broken");
          },
        },
      ]),
    );

    expect(response.status).toBe(503);
  });
});

describe("/metrics", () => {
  test("writes counters and the backlog, read once for all gauges", async () => {
    let readings = 0;
    const metrics = createMetrics({
      readBacklog: async () => {
        readings += 1;
        return {
          casesDue: 3,
          oldestDueSeconds: 12.5,
          casesByState: { received: 3, snoozed: 7 },
          quarantined: 2,
          auditBehindSeconds: 1.5,
          automationStoppedAt: new Date(),
        };
      },
    });
    metrics.notifications.inc({ source: "default", outcome: "new" });
    metrics.ackSeconds.observe({ outcome: "new" }, 0.004);

    const text = await (await ask(createMetricsHandler(metrics.registry, silentLogger))).text();

    expect(text).toContain('skedchange_notifications_total{source="default",outcome="new"} 1');
    expect(text).toContain('skedchange_ack_seconds_bucket{le="0.005",outcome="new"} 1');
    expect(text).toContain("skedchange_cases_due 3");
    expect(text).toContain("skedchange_oldest_due_seconds 12.5");
    expect(text).toContain('skedchange_cases{state="snoozed"} 7');
    expect(text).toContain("skedchange_quarantined_notifications 2");
    expect(text).toContain("skedchange_audit_behind_seconds 1.5");
    expect(text).toContain("skedchange_automation_stopped 1");
    expect(readings).toBe(1);
  });

  test("writes a watched value as it is at that moment", async () => {
    const metrics = createMetrics();
    let bytes = 5;
    watchValue(metrics, { name: "skedchange_some_bytes", help: "Some bytes.", read: () => bytes });
    bytes = 7;

    expect(await metrics.registry.metrics()).toContain("skedchange_some_bytes 7");
  });

  test("leaves the backlog out while it cannot be read, and has it back afterwards", async () => {
    let away = false;
    const metrics = createMetrics({
      readBacklog: async () => {
        if (away) throw new Error("away");
        return {
          casesDue: 3,
          oldestDueSeconds: 0,
          casesByState: { received: 3 },
          quarantined: 0,
          auditBehindSeconds: 0,
          automationStoppedAt: null,
        };
      },
    });
    expect(await metrics.registry.metrics()).toContain("skedchange_cases_due 3");

    away = true;
    const without = await metrics.registry.metrics();

    expect(without).not.toMatch(/^skedchange_cases_due \d/m);
    expect(without).not.toMatch(/^skedchange_oldest_due_seconds \d/m);
    expect(without).not.toMatch(/^skedchange_cases\{/m);
    away = false;
    expect(await metrics.registry.metrics()).toContain("skedchange_cases_due 3");
  });
});
