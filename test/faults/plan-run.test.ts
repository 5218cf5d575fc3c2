import { expect, test } from "vitest";
import { faultKinds } from "../../src/gateway/fault-kinds.ts";
import { links, planRun, roles } from "./plan-run.ts";

const full = { orders: 1_000, notifications: 5_000 };

test("the same seed makes the same plan, another seed another one", () => {
  const plan = JSON.stringify(planRun(7, full, "redis", 2_000));

  expect(JSON.stringify(planRun(7, full, "redis", 2_000))).toBe(plan);
  expect(JSON.stringify(planRun(8, full, "redis", 2_000))).not.toBe(plan);
});

test("a full plan holds every kind of fault that the gateway knows, but lost notifications", () => {
  const { changes } = planRun(1, full, "postgresql", 2_000);
  const planned = new Set(changes.flatMap(({ faults }) => faults.map((fault) => (fault as { mode: string }).mode)));

  // A notification that was never sent is not acknowledged either, so nothing is promised about it here.
  const expected = faultKinds.map(({ mode }) => mode).filter((mode) => mode !== "ocn-dropped");
  expect([...planned].sort()).toEqual(expected.sort());
});

test("a full plan disturbs every role, both servers and every connection, each in every way", () => {
  const { disturbances } = planRun(1, full, "redis", 2_000);
  const planned = new Set(
    disturbances.map(({ disturbance: it }) => {
      switch (it.kind) {
        case "kill":
        case "pause":
          return `${it.kind} ${it.role}`;
        case "network":
          return `${it.link} ${it.fault}`;
        default:
          return `${it.kind} ${it.how}`;
      }
    }),
  );

  const network = links.flatMap((link) => ["reset", "refuse", "delay", "half-open"].map((fault) => `${link} ${fault}`));
  const expected = [
    ...roles.map((role) => `kill ${role}`),
    "pause worker",
    ...["fast", "immediate", "kill", "backend-crash"].map((how) => `postgresql ${how}`),
    ...["kill", "stop", "freeze", "flush"].map((how) => `redis ${how}`),
    ...network,
  ];
  expect([...planned].sort()).toEqual(expected.sort());
});

test("a worker that is paused is paused for longer than its lease", () => {
  const { disturbances } = planRun(1, full, "postgresql", 2_000);
  const pauses = disturbances.flatMap(({ disturbance }) => (disturbance.kind === "pause" ? [disturbance.forMs] : []));

  expect(pauses.length).toBeGreaterThan(0);
  expect(Math.min(...pauses)).toBeGreaterThan(2_000);
});
