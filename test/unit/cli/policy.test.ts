import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { runCaptured } from "./captured-terminal.ts";

const samples = fileURLToPath(new URL("../../../samples/", import.meta.url));
const now = ["--now", "2026-12-01T00:00:00Z"];
let folder: string;
let mistaken: string;
let reviewing: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-cli-"));
  mistaken = join(folder, "mistaken.yaml");
  await writeFile(
    mistaken,
    "version: 1\nname: ours\nrules:\n  - name: late\n    when: departureLaterMinuts <= 30\n    do: accept\n    reason: late\n",
  );
  reviewing = join(folder, "reviewing.yaml");
  await writeFile(reviewing, readPolicyFile("cautious").text.replaceAll("do: accept", "do: review"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("skedchange policy check", () => {
  test("names each mistake with its place and the nearest name, and fails", async () => {
    const { exitCode, stdout } = await runCaptured(["policy", "check", mistaken]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain(`error ${mistaken}:5:11: rule 'late'`);
    expect(stdout).toContain("departureLaterMinutes");
  });

  test("fails on a rule that can never decide", async () => {
    const file = join(folder, "unreachable.yaml");
    const unreachable =
      "  - name: renumbered\n    when: flightNumberChanged\n    do: review\n    reason: renumbered\n\n  - name: stop-added\n";
    await writeFile(file, readPolicyFile("cautious").text.replace("  - name: stop-added\n", unreachable));
    const { exitCode, stdout } = await runCaptured(["policy", "check", file]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("rule 'renumbered': The rule never decides");
    expect(stdout).toContain("the rule 'replaced' before it has matched already");
  });

  test("says that a policy can be used, with its version", async () => {
    const { exitCode, stdout } = await runCaptured(["policy", "check", reviewing]);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/cautious can be used: \d+ rules, version [0-9a-f]{12}\.\n$/);
  });
});

describe("skedchange policy explain", () => {
  test("prints the decision, its reasons, the law and the rules that were tried", async () => {
    const { exitCode, stdout } = await runCaptured([
      "policy",
      "explain",
      join(samples, "ocn-minor-delay.json"),
      ...now,
    ]);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("Decision of cautious: accept, rule small-retiming");
    expect(stdout).toContain("Passenger rights");
    expect(stdout).toMatch(
      /small-retiming\s+accept\s+matched\s+.*retimedOnly: yes, departureLaterMinutes: 20 min; the limit is 30 min/,
    );
  });

  test("prints the same as JSON, by the policy that is named", async () => {
    const sample = join(samples, "ocn-minor-delay.json");

    const { stdout } = await runCaptured(["policy", "explain", sample, ...now, "--policy", reviewing, "--json"]);

    expect(JSON.parse(stdout)).toMatchObject({
      orderId: "QX7R2M1A",
      action: "review",
      queue: "agent",
      severity: "minor",
    });
  });

  test("names what is wrong with a notification", async () => {
    const { exitCode, stderr } = await runCaptured(["policy", "explain", mistaken]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("cannot be used");
  });
});

describe("skedchange policy backtest over a folder", () => {
  const backtest = (...options: readonly string[]) =>
    runCaptured(["policy", "backtest", "--folder", samples, "--policy", reviewing, ...now, ...options]);

  test("reports that of the five samples only the minor delay would be decided otherwise", async () => {
    const { exitCode, stdout } = await backtest("--json");

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      compared: 5,
      flipped: 1,
      unreadable: 0,
      manual: { before: 4, after: 5 },
      minutesSaved: -6,
      flips: [
        {
          from: "accept",
          to: "review:agent",
          count: 1,
          examples: [{ id: "ocn-minor-delay.json", orderId: "QX7R2M1A", beforeRule: "small-retiming" }],
        },
      ],
    });
  });

  test("prints the differences as a table", async () => {
    const { stdout } = await backtest("--minutes-per-review", "90");

    expect(stdout).toContain("1 of 5 decisions would differ (20.0 %).");
    expect(stdout).toContain(
      "Agents handle 5 instead of 4, to review or to ask the traveller: 1 h 30 min more at 90 minutes each.",
    );
    expect(stdout).toMatch(/accept\s+review:agent\s+1/);
  });

  test("writes a page of HTML in which nothing from a notification is markup", async () => {
    const dangerous = await mkdtemp(join(folder, "dangerous-"));
    await cp(join(samples, "ocn-minor-delay.json"), join(dangerous, "a.json"));
    const text = await readFile(join(dangerous, "a.json"), "utf8");
    await writeFile(join(dangerous, "a.json"), text.replaceAll("QX7R2M1A", "<b>order</b>"));
    const out = join(folder, "report.html");

    const { stdout } = await runCaptured([
      ...["policy", "backtest", "--folder", dangerous, "--policy", reviewing, ...now],
      ...["--html", "--out", out],
    ]);

    expect(stdout).toBe(`1 of 1 decision would differ. The report is in ${out}.\n`);
    const page = await readFile(out, "utf8");
    expect(page).toContain("&lt;b&gt;order&lt;/b&gt;");
    expect(page).not.toContain("<b>");
  });

  test("counts what cannot be read and goes on", async () => {
    const mixed = await mkdtemp(join(folder, "mixed-"));
    await cp(join(samples, "ocn-cancelled.json"), join(mixed, "a.json"));
    await writeFile(join(mixed, "b.json"), "{}");

    const { stdout } = await runCaptured([
      ...["policy", "backtest", "--folder", mixed, "--policy", reviewing, ...now],
      ...["--json"],
    ]);

    expect(JSON.parse(stdout)).toMatchObject({ compared: 1, unreadable: 1 });
  });

  test("reports how many of the five samples each policy settles, by kind of change, and why people get the others", async () => {
    const { exitCode, stdout } = await backtest("--report", "automation", "--json");

    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      policy: reviewing,
      against: "active",
      unreadable: 0,
      after: { decided: 5, accepted: 0, reviewed: 5 },
      before: {
        decided: 5,
        accepted: 1,
        reviewed: 4,
        byKind: expect.arrayContaining([expect.objectContaining({ kind: "times, up to 30 min", accepted: 1 })]),
        reasons: expect.arrayContaining([
          { rule: "flight-number-only", reason: "flight-number-only", count: 1, share: 0.2 },
        ]),
      },
    });
  });

  test("prints how much is settled as tables, or as a page of HTML", async () => {
    const { stdout } = await backtest("--report", "automation");
    expect(stdout).toMatch(/Policy\s+Decisions\s+Accepted\s+To ask\s+Waited\s+Reviewed\n/);
    expect(stdout).toMatch(/active\s+5\s+20\.0 %\s+0\.0 %\s+0\.0 %\s+80\.0 %\n/);
    expect(stdout).toMatch(/flight-number-only\s+flight-number-only\s+1\s+20\.0 %\n/);

    const out = join(folder, "automation.html");
    const written = await backtest("--report", "automation", "--html", "--out", out);
    expect(written.stdout).toBe(`0 of 5 changes would be accepted. The report is in ${out}.\n`);
    expect(await readFile(out, "utf8")).toContain("<td>active</td><td>5</td><td>20.0 %</td>");
  });

  test.each([
    ["--since", "7d"],
    ["--until", "2026-12-01T00:00:00Z"],
  ])("refuses %s, which selects stored notifications", async (option, time) => {
    const { exitCode, stdout, stderr } = await backtest(option, time);

    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`option '--folder <dir>' cannot be used with option '${option} <time>'`);
  });

  test("refuses --now without a folder, because stored notifications have their own time", async () => {
    const { exitCode, stderr } = await runCaptured(["policy", "backtest", "--policy", reviewing, ...now]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("Remove --now, or name a folder with --folder.");
  });

  test("refuses stored decisions, which files do not have", async () => {
    const { exitCode, stderr } = await backtest("--against", "stored");

    expect(exitCode).toBe(2);
    expect(stderr).toContain("Remove --against stored.");
  });

  test("refuses a folder that is not there", async () => {
    const { exitCode, stderr } = await runCaptured([
      ...["policy", "backtest", "--folder", join(folder, "nowhere"), "--policy", reviewing],
    ]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("cannot be read: ENOENT");
  });
});
