import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { datedSample, type SampleName } from "../../builders/sample-notification.ts";

setFlagsFromString("--allow-natives-syntax");
const isOfOneClass = runInThisContext("(a, b) => %HaveSameMap(a, b)") as (a: object, b: object) => boolean;

const { policy } = readPolicyFile(null);

function judge(name: SampleName): unknown {
  const body = Buffer.from(JSON.stringify(datedSample(name)));
  const now = new Date("2026-11-01T00:00:00Z");
  return evaluateNotification({ body, source: "default", now, statusBody: null }, [policy]);
}

/** Paths of the objects that stand at the same place in both, and that V8 holds to be of different kinds. */
function pathsOfOtherClass(a: unknown, b: unknown, path: string): readonly string[] {
  if (!isObject(a) || !isObject(b)) return [];
  const below = Object.keys(a).flatMap((key) => pathsOfOtherClass(a[key], b[key], `${path}.${key}`));
  return Array.isArray(a) || isOfOneClass(a, b) ? below : [path, ...below];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}

// Only Node.js 20 tells them apart; see `extend`.
test.each<SampleName>(["minor-delay", "misconnection", "replaced-by-two", "cancelled", "flight-number-only"])(
  "two orders like the sample %s are judged with objects of the same hidden classes",
  (name) => {
    for (let order = 0; order < 50; order += 1) judge(name);
    expect(pathsOfOtherClass(judge(name), judge(name), "judgement")).toEqual([]);
  },
);
