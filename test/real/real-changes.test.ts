import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluateNotification, type NotificationEvaluation } from "../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../src/app/policy-file.ts";

/**
 * Changes made after public reports of what went wrong elsewhere, in our own words and with invented people. Each says what
 * a careful agent would do.
 */
const [, ...rows] = readFileSync("test/real/expected.tsv", "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));

const expected = rows.flatMap(([file = "", policies = "", outcome = "", stated = "", excluded = "", why = ""]) =>
  policies.split(" ").map((policy) => ({ file, policy, outcome, stated, excluded, why })),
);

describe("a change as it was really reported", () => {
  test.each(expected)("$file is $outcome under $policy: $why", ({ file, policy, outcome, stated, excluded }) => {
    const judged = judge(file, policy);
    const words = wordsOf(judged);

    expect(outcomeOf(judged)).toMatch(outcomes[outcome]!);
    if (stated !== "") expect(words).toMatch(new RegExp(stated, "i"));
    if (excluded !== "") expect(words).not.toMatch(new RegExp(excluded, "i"));
  });

  test("is expected for each file", () => {
    const files = readdirSync("test/real").filter((name) => /(?<!\.status)\.json$/.test(name));

    expect(files.map((name) => name.replace(/\.json$/, "")).toSorted()).toEqual(rows.map(([file]) => file).toSorted());
  });
});

const outcomes: Readonly<Record<string, RegExp>> = {
  accepted: /^accept$/,
  "not accepted": /^(?!accept)/,
  "a person": /^review$/,
  "both read, or told that it is a list": /^(unusable|.+,.+)$/,
};

function judge(file: string, policy: string): NotificationEvaluation {
  const status = `test/real/${file}.status.json`;
  return evaluateNotification(
    {
      body: readFileSync(`test/real/${file}.json`),
      statusBody: existsSync(status) ? readFileSync(status) : null,
      source: "default",
      now: new Date("2026-12-01T00:00:00Z"),
    },
    [readPolicyFile(policy).policy],
  );
}

/** The actions of all orders, joined by commas. */
function outcomeOf(judged: NotificationEvaluation): string {
  return judged.ok ? judged.orders.map(({ verdicts }) => verdicts[0]!.action).join() : "unusable";
}

/** All that a person reads of the decision. */
function wordsOf(judged: NotificationEvaluation): string {
  if (!judged.ok) return judged.message;
  const reasons = judged.orders.flatMap(({ verdicts }) => verdicts[0]!.reasons.map(({ text }) => text));
  return [`${judged.orders.length} orders`, ...reasons].join("\n");
}
