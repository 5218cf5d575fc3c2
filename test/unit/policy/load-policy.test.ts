import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultConnectionTimes } from "../../../src/itinerary/connection-times.ts";
import { formatPolicyProblem, loadPolicy } from "../../../src/policy/load-policy.ts";
import { policyFrom } from "./policies.ts";

const rule = `
  - name: small
    when: retimedOnly && departureLaterMinutes <= 30
    do: accept
    reason: small`;
const valid = `version: 1\nname: test\nrules:${rule}\n`;

function problemsOf(text: string): string[] {
  const loaded = loadPolicy(text, "p.yaml");
  return loaded.ok ? [] : loaded.problems.map(formatPolicyProblem);
}

/** The problems of a policy whose only rule has these lines; the first of them is line 5. */
function problemsOfRule(...lines: readonly string[]): string[] {
  return problemsOf(`version: 1\nname: test\nrules:\n  - name: one\n${lines.map((line) => `    ${line}\n`).join("")}`);
}

const problemsOfCondition = (when: string): string[] => problemsOfRule(`when: ${when}`, "do: none", "reason: x");

describe("settings", () => {
  const withSettings = (...lines: readonly string[]) =>
    valid.replace("rules:", `settings:\n${lines.map((line) => `  ${line}\n`).join("")}rules:`);

  test("left out are the default connection times", () => {
    expect(policyFrom(valid).connectionTimes).toBe(defaultConnectionTimes);
    expect(policyFrom(withSettings("connectionTimes: { domesticToDomestic: 45 }")).version).toBe(
      policyFrom(valid).version,
    );
  });

  test("of connection times are part of the version", () => {
    const policy = policyFrom(
      withSettings(
        "connectionTimes:",
        "  terminalChange: 40",
        "  overrides:",
        "    - { airport: LHR, arrivingTerminal: 2, leavingTerminal: 5, minutes: 90 }",
      ),
    );

    expect(policy.connectionTimes).toMatchObject({
      domesticToDomestic: 45,
      terminalChange: 40,
      overrides: [{ airport: "LHR", arrivingTerminal: "2", leavingTerminal: "5", minutes: 90 }],
    });
    expect(policy.version).not.toBe(policyFrom(valid).version);
  });

  test.each([
    [
      "connectionTime: {}",
      "p.yaml:4:3: There is no 'connectionTime' here. Did you mean 'connectionTimes'? There are connectionTimes, thresholds, protectedPassengers, orderValue, coolDown, legalPresets.",
    ],
    [
      "connectionTimes: { terminalChange: 1.5 }",
      "p.yaml:4:38: 'terminalChange' must be a whole number of minutes from 0 to 2880.",
    ],
    [
      "connectionTimes: { overrides: [{ airport: LHR }] }",
      "p.yaml:4:34: 'minutes' is missing: it must be a whole number of minutes from 0 to 2880.",
    ],
    [
      "connectionTimes: { overrides: [{ leavingTerminal: 5, minutes: 60 }] }",
      "p.yaml:4:34: An entry names a terminal without its airport; add 'airport'.",
    ],
  ])("such as %s are refused with the place and the remedy", (line, problem) => {
    expect(problemsOf(withSettings(line))).toEqual([problem]);
  });

  test("with a wrong name list those that there are", () => {
    expect(problemsOf(withSettings("connectionTimes: { terminal: 30 }"))[0]).toContain(
      "There are domesticToDomestic, domesticToInternational,",
    );
    expect(problemsOf(withSettings("connectionTimes: { overrides: [{ airprt: LHR, minutes: 60 }] }"))).toContainEqual(
      expect.stringContaining("Did you mean 'airport'? There are airport, leavingAirport,"),
    );
  });
});

describe("a policy that loads", () => {
  test("carries its rules in order with the defaults filled in", () => {
    const policy = policyFrom(`
version: 1
name: test
default: review
rules:
  - name: first
    when: dateChanged
    do: review
    reason: date-changed
  - name: second
    description: About the second.
    enabled: false
    when: true
    do: { review: { queue: legal, priority: 0 } }
    reason: second-reason
    explain: Later by {departureLaterMinutes} minutes.
  - name: third
    when: "!ticketed"
    do: { review: { priority: 9 } }
    reason: third-reason
  - name: fourth
    when: retimedOnly
    do: wait
    reason: fourth-reason
`);

    expect(policy.name).toBe("test");
    expect(policy.rules.map(({ condition: _condition, ...written }) => written)).toEqual([
      {
        name: "first",
        description: null,
        enabled: true,
        when: "dateChanged",
        action: "review",
        reviewQueue: "agent",
        priority: 5,
        wait: null,
        inform: null,
        reason: "date-changed",
        explain: null,
      },
      {
        name: "second",
        description: "About the second.",
        enabled: false,
        when: "true",
        action: "review",
        reviewQueue: "legal",
        priority: 0,
        wait: null,
        inform: null,
        reason: "second-reason",
        explain: "Later by {departureLaterMinutes} minutes.",
      },
      expect.objectContaining({ name: "third", action: "review", reviewQueue: "agent", priority: 9 }),
      expect.objectContaining({ name: "fourth", action: "wait", reviewQueue: null, priority: null }),
    ]);
  });

  const page = readFileSync(new URL("../../../docs/policy.md", import.meta.url), "utf8");
  const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml = ""]) => yaml);
  test.each(examples.filter((yaml) => yaml.includes("- name:")))("is what the documentation shows: %s", (yaml) => {
    const limits = "{ departureEarlier: 0, departureLater: 20, arrivalEarlier: 20, arrivalLater: 20 }";
    const rules = yaml.startsWith("  - name:")
      ? `settings: { thresholds: { small: ${limits} } }\nrules:\n${yaml}`
      : yaml;

    const policy = policyFrom(rules.startsWith("version:") ? rules : `version: 1\nname: example\n${rules}`);

    expect(policy.rules.length).toBeGreaterThan(0);
  });

  test("has a version that comments and layout leave alone", () => {
    const { version } = policyFrom(valid);

    expect(version).toMatch(/^[0-9a-f]{64}$/);
    expect(policyFrom(`# a comment\n${valid}`).version).toBe(version);
    expect(policyFrom(valid.replace("do: accept", "do:   'accept'")).version).toBe(version);
  });

  test.each([
    ["a limit", "<= 30", "<= 31"],
    ["an action", "do: accept", "do: none"],
    ["a reason", "reason: small", "reason: other"],
    ["a name", "name: test", "name: other"],
  ])("has another version when %s changes", (_what, from, to) => {
    expect(policyFrom(valid.replace(from, to)).version).not.toBe(policyFrom(valid).version);
  });

  test.each([
    "departureLaterMinutes <= (hasInfant ? 15 : 30)",
    "'LHR' in connectingAirports && size(connectingAirports) == 1",
    "connectingAirports.all(airport, airport.startsWith('L') || airport in ['CDG', 'ORY'])",
    "source == 'main' || orderId.endsWith(\"'\")",
    "-departureEarlierMinutes + departureLaterMinutes * 2 - (1 - 2) > -15 && connectingAirports[0].contains('H')",
    "(dateChanged ? cancelled : replaced) == (retimedOnly && ticketed)",
  ])("may say %s", (when) => {
    expect(problemsOfCondition(JSON.stringify(when))).toEqual([]);
  });
});

describe("a policy that does not load", () => {
  test("names the first 20 of thousands of unknown keys, since each suggestion costs time", () => {
    const keys = Array.from({ length: 6_000 }, (_, index) => `key${index}: 1`).join("\n");

    const problems = problemsOf(`${valid}${keys}`);

    expect(problems).toHaveLength(20);
    expect(problems[0]).toContain("There is no 'key0' here.");
  });

  test.each([
    ["", "p.yaml:1:1: A policy must hold 'version', 'name' and 'rules'."],
    ["- a", "p.yaml:1:1: A policy must hold 'version', 'name' and 'rules'."],
    ["a: 1\na: 2", "p.yaml:2:1: This key is written twice in the same place. Keep one of them."],
    [
      "a: [1",
      "p.yaml:1:6: Not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]. Check the indentation and the quotes here.",
    ],
    [
      "a: 1\n---\nb: 1",
      "p.yaml:2:1: The file holds several YAML documents. Keep one policy in a file and remove the --- between them.",
    ],
    [
      "a: &x [1]\nb: *y",
      "p.yaml:1:1: The YAML aliases cannot be expanded (Unresolved alias (the anchor must be set before the alias): y). Write the repeated parts out.",
    ],
    [
      "when: !dateChanged",
      'p.yaml:1:7: YAML reads a leading ! as a tag. Put a condition that starts with ! in quotes: when: "!dateChanged".',
    ],
    [
      "when: a ? b : c",
      'p.yaml:1:7: Not valid YAML: Nested mappings are not allowed in compact mappings. Put text that contains ": " in quotes, or on its own lines after >-.',
    ],
    [" ".repeat(262_145), "p.yaml:1:1: The policy has 262145 characters, the limit is 262144. Split it by source."],
  ])("says what is wrong with the text %j", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  test.each([
    [
      valid.replace("version: 1", "version: 2"),
      "p.yaml:1:10: 'version' must be 1, the only version of the policy format.",
    ],
    [
      valid.replace("version: 1", "default: accept\nversion: 1"),
      "p.yaml:1:10: 'default' must be review: what no rule decides, a person decides.",
    ],
    [
      valid.replace("name: test", "nam: test"),
      "p.yaml:2:1: There is no 'nam' here. Did you mean 'name'? There are version, name, description, mode, settings, default, rules.",
    ],
    ["version: 1\nname: test\nrules: []", "p.yaml:3:8: 'rules' must hold at least one rule."],
    [`${valid}  - nothing\n`, "p.yaml:8:5: A rule must hold 'name', 'when', 'do' and 'reason'."],
    [valid + rule.slice(1), "p.yaml:8:11: rule 'small': Another rule has this name already. Choose another."],
    [
      valid.replace("name: small", "name: default"),
      "p.yaml:4:11: rule 'default': The name 'default' stands for \"no rule matched\". Choose another.",
    ],
    [
      valid.replace("reason: small", "reason: unknown-fact"),
      "p.yaml:7:13: rule 'small': The reasons no-rule-matched, unknown-fact, rule-error, observe-only are given by evaluation itself. Choose another.",
    ],
    [
      valid.replace("reason: small", "resaon: small"),
      "p.yaml:7:5: rule 'small': There is no 'resaon' here. Did you mean 'reason'? There are name, description, enabled, scope, validFrom, validUntil, when, do, inform, reason, explain.",
    ],
  ])("names the place and the remedy in %j", (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  test("takes 200 rules and refuses one more", () => {
    const withRules = (count: number) =>
      `version: 1\nname: test\nrules:${Array.from({ length: count }, (_, index) => rule.replace("small", `r${index}`)).join("")}`;

    expect(problemsOf(withRules(200))).toEqual([]);
    expect(problemsOf(withRules(201))).toContainEqual(expect.stringContaining("'rules' must hold at most 200 rules"));
  });

  test.each([
    [
      "do: cancel",
      `p.yaml:6:9: rule 'one': Cancelling can't be undone and its refund is not known before, so a rule that cancels must ask for the wish of the traveller (order.travellerAnswer == "refund") or nothing left to fly (cancelled && !partiallyCancelled), a ticket (ticketed), an order of which nothing is flown (departedFlightCount == 0), a value limit (settings: orderValue: { EUR: 500 }). Join them with && in 'when', or write do: review.`,
    ],
    [
      "do: { cancel: {} }",
      "p.yaml:6:9: rule 'one': 'do' must be one of accept, cancel, review, ask-traveller, wait, none, or { review: { queue: agent, priority: 3 } }, or { wait: { hours: 24 } }.",
    ],
    [
      "do: acept",
      "p.yaml:6:9: rule 'one': 'do' must be one of accept, cancel, review, ask-traveller, wait, none, not 'acept'. Did you mean 'accept'?",
    ],
    [
      "do: 5",
      "p.yaml:6:9: rule 'one': 'do' must be one of accept, cancel, review, ask-traveller, wait, none, or { review: { queue: agent, priority: 3 } }, or { wait: { hours: 24 } }.",
    ],
    [
      "do: { review: { queu: legal } }",
      "p.yaml:6:21: rule 'one': There is no 'queu' here. Did you mean 'queue'? There are queue, priority.",
    ],
    [
      "do: { review: { priority: 10 } }",
      "p.yaml:6:31: rule 'one': 'priority' must be a whole number from 0 (most urgent) to 9.",
    ],
    [
      "do: { review: { priority: -1 } }",
      "p.yaml:6:31: rule 'one': 'priority' must be a whole number from 0 (most urgent) to 9.",
    ],
    [
      "do: { review: { priority: 1.5 } }",
      "p.yaml:6:31: rule 'one': 'priority' must be a whole number from 0 (most urgent) to 9.",
    ],
    ["do: accept\n    inform: everybody", "p.yaml:7:13: rule 'one': 'inform' must be one of nobody, task, event."],
    ["enabled: yes\n    do: none", "p.yaml:6:14: rule 'one': 'enabled' must be true or false."],
    [
      "do: none\n    explain: Later by {departureLaterMinute}.",
      "p.yaml:7:23: rule 'one': {departureLaterMinute} names no fact. Did you mean 'departureLaterMinutes'? All facts are listed in docs/facts.md.",
    ],
  ])("refuses a rule with %j", (line, problem) => {
    expect(problemsOfRule("when: retimedOnly", line, "reason: x")).toEqual([problem]);
  });

  test("says which parts of a rule are missing", () => {
    expect(problemsOfRule("enabled: true")).toEqual([
      "p.yaml:4:5: rule 'one': 'when' is missing: it must be a condition of 1 to 4000 characters, such as departureLaterMinutes <= 30.",
      "p.yaml:4:5: rule 'one': 'do' is missing: write one of accept, cancel, review, ask-traveller, wait, none.",
      "p.yaml:4:5: rule 'one': 'reason' is missing: it must be lower-case words joined by hyphens, such as small-retiming, of at most 64 characters.",
    ]);
  });

  test("reports the problems of all rules at once, in the order of the text", () => {
    const text = `${valid}  - name: two\n    when: dateChangd\n    do: cancl\n    reason: X\n  - name: two\n`;

    const lines = problemsOf(text).map((problem) => Number(problem.split(":")[1]));

    expect(lines).toEqual([9, 10, 11, 12, 12, 12, 12]);
  });
});

describe("a condition that does not load", () => {
  test.each([
    [
      "dateChangd",
      "5:11: rule 'one': There is no fact 'dateChangd'. Did you mean 'dateChanged'? All facts are listed in docs/facts.md.",
    ],
    [
      "retimedOnly && DateChanged",
      "5:26: rule 'one': There is no fact 'DateChanged'. Did you mean 'dateChanged'? All facts are listed in docs/facts.md.",
    ],
    ["xyz", "5:11: rule 'one': There is no fact 'xyz'. All facts are listed in docs/facts.md."],
    ["int == 'x'", "5:11: rule 'one': There is no fact 'int'. All facts are listed in docs/facts.md."],
    [
      "departureLaterMinutes",
      "5:11: rule 'one': The condition gives int, not true or false. Compare it with something: ... <= 30, or ... == true.",
    ],
    [
      "retimedOnly <= 30",
      "5:11: rule 'one': The types do not fit: no such overload: bool <= int. The type of each fact is listed in docs/facts.md.",
    ],
    [
      "retimedOnly && departureLaterMinutes",
      "5:11: rule 'one': The types do not fit: logical operator requires bool operands, got 'int'. The type of each fact is listed in docs/facts.md.",
    ],
    ["retimedOnly and dateChanged", "5:23: rule 'one': 'and' is no operator. Write && for and, || for or, ! for not."],
    [
      "not retimedOnly",
      "5:15: rule 'one': The condition is not valid CEL: Unexpected character: 'y'. Check this place and the parentheses around it.",
    ],
    ["retimedOnly = true", "5:23: rule 'one': A single = is no comparison. Write == to compare."],
    [
      "(retimedOnly",
      "5:23: rule 'one': The condition is not valid CEL: Expected RPAREN, got EOF. Check this place and the parentheses around it.",
    ],
    [
      "source.matches('(a+)+$')",
      "5:11: rule 'one': There is no function 'matches' in conditions. There are startsWith, endsWith, contains, size, exists, all, getDayOfWeek, getHours, timestamp and the operator in.",
    ],
    [
      "dyn(retimedOnly)",
      "5:11: rule 'one': There is no function 'dyn' in conditions. There are startsWith, endsWith, contains, size, exists, all, getDayOfWeek, getHours, timestamp and the operator in.",
    ],
    [
      "has(retimedOnly.x)",
      "5:11: rule 'one': There is no function 'has' in conditions. There are startsWith, endsWith, contains, size, exists, all, getDayOfWeek, getHours, timestamp and the operator in.",
    ],
    [
      "retimedOnly.x",
      "5:11: rule 'one': Facts have no members and conditions no maps. Compare the facts themselves; see docs/facts.md.",
    ],
    [
      "retimedOnly == null",
      "5:26: rule 'one': Only whole numbers, decimals, strings, true and false can be written in a condition.",
    ],
    [
      "connectingAirports.exists(dateChanged, true)",
      "5:11: rule 'one': 'dateChanged' is the name of a fact. Give the variable of exists(...) another name.",
    ],
    [
      "connectingAirports.all(a, connectingAirports.exists(b, a == b))",
      "5:37: rule 'one': The function exists(...) cannot stand inside another exists(...) or all(...).",
    ],
  ])("says what is wrong with %s", (when, problem) => {
    expect(problemsOfCondition(when)).toEqual([`p.yaml:${problem}`]);
  });

  test("names every unknown fact with its own place", () => {
    expect(problemsOfCondition("dateChangd && ticketd").map((problem) => problem.slice(0, 12))).toEqual([
      "p.yaml:5:11:",
      "p.yaml:5:25:",
    ]);
  });

  test.each([
    ["folded", "when: >-\n      retimedOnly\n      && ticketd", "7:10"],
    ["literal", "when: |\n      // why\n      retimedOnly\n        && ticketd", "8:12"],
    ["over several plain lines", "when: retimedOnly\n      && ticketd", "6:10"],
    ["in double quotes", 'when: "ticketd"', "5:12"],
    ["in single quotes", "when: '!ticketd'", "5:13"],
    ["in quotes with escapes, at their start", "when: 'source == ''a'' && ticketd'", "5:11"],
  ])("finds the place in a condition written %s", (_how, when, place) => {
    const [problem] = problemsOfRule(when, "do: none", "reason: x");

    expect(problem).toContain(`p.yaml:${place}: rule 'one': There is no fact 'ticketd'. Did you mean 'ticketed'?`);
  });

  test.each([
    ["nested too deeply", `${"(".repeat(40)}ticketed${")".repeat(40)}`],
    ["made of too many parts", Array.from({ length: 250 }, () => "ticketed").join(" && ")],
  ])("refuses one that is %s", (_how, when) => {
    const [problem] = problemsOfCondition(when);

    expect(problem).toContain("The condition is too long or too deeply nested. Split it into several rules.");
  });

  test.each([
    [4_000, 0],
    [4_001, 1],
  ])("counts %d characters as %d problems", (length, count) => {
    expect(problemsOfCondition(JSON.stringify("ticketed".padEnd(length))).length).toBe(count);
  });
});
