import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadPresets, presetFiles } from "../../../scripts/load-presets.ts";
import { codeOf, messageOf } from "../../../src/kernel/app-error.ts";
import { legalPresets } from "../../../src/policy/legal/presets.ts";

const folder = new URL("../../../src/policy/legal/presets/", import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, folder), "utf8");
const shipped = new Map(presetFiles.map((file) => [file as string, textOf(file)]));

test("the program judges by what the files say", () => {
  expect(readdirSync(folder).sort()).toEqual([...presetFiles].sort());
  expect(JSON.parse(JSON.stringify(legalPresets))).toEqual(loadPresets(shipped));
});

test("each file begins with what it is and how to read it", () => {
  for (const text of shipped.values()) expect(text).toMatch(/^# .+\n(# .+\n)?#\n# The program judges by this file;/);
});

test("the reform of the EU law says what the law says wherever nothing else is known", () => {
  const [today, reform] = ["eu-261", "eu-261-2026"].map((id) => legalPresets.find((preset) => preset.id === id)!);
  const { scope, triggers, clocks, notes } = reform!;

  expect({ scope, triggers, clocks }).toEqual({
    scope: today!.scope,
    triggers: today!.triggers,
    clocks: today!.clocks,
  });
  expect(notes.slice(0, today!.notes.length)).toEqual(today!.notes);
});

/** The code and the message of what loading throws. */
function refusal(texts: ReadonlyMap<string, string>): { readonly code: string; readonly message: string } {
  try {
    loadPresets(texts);
  } catch (error) {
    return { code: codeOf(error), message: messageOf(error) };
  }
  throw new Error("The files were accepted.");
}

/** One of the files, with one text in it replaced. */
function changed(file: string, from: string, to: string): ReadonlyMap<string, string> {
  const text = textOf(file);
  if (!text.includes(from)) throw new Error(`${file} does not hold: ${from}`);
  return new Map([[file, text.replace(from, to)]]);
}

describe("a file that says too little, too much or two things is refused, with file, line and path", () => {
  const br = "br-anac-400.yaml";
  test.each([
    ["a member is missing", br, 'title: "Brazil: general conditions of air transport"\n', "", ": title: "],
    ["the day of the reading is missing", br, "asOf: 2026-11-20\nreview", "review", ": asOf: "],
    ["what is proposed is missing", br, "proposed:", "suggested:", ": proposed: "],
    ["a member is not known", br, "domesticWithin: BR", "domesticIn: BR", ": domesticIn: is not known here"],
    ["a day is none", br, "reviewBy: 2027-05-31", "reviewBy: 2027-05-32", ": reviewBy: must be a day"],
    ["a territory is not known", br, "touches: BR", "touches: Brazil", ": scope.0.touches: "],
    ["a fact is not known", br, "fact: changedFlightCount", "fact: changedFlights", ": triggers.2.when.all.0.fact: "],
    ["a flag is not known", br, "flag: cancelled", "flag: canceled", ": triggers.0.when.any.0.flag: "],
    ["a limit is missing", br, ", atLeast: 1 }, { toldLess", " }, { toldLess", ": triggers.2.when.all.0.atLeast: "],
    ["a limit is no number", br, "hours: 72", "hours: many", ": triggers.2.when.all.1.toldLessThan.hours: "],
    ["a limit is negative", br, "domestic: 30", "domestic: -30", ": triggers.1.when.any.0.moreThan.domestic: "],
    ["a right is not known", br, "right: refund-or-rerouting", "right: refund", ": triggers.0.right: "],
    ["a link is none", br, "link: https://svdireito", "link: svdireito", ": sources.1.link: "],
    [
      "a source has neither a link nor a caveat",
      br,
      "    link: https://svdireitodequemvoa.com.br/alteracao-de-voo\n",
      "",
      ": sources.1.link: must be given, or a caveat",
    ],
    ["nothing says where it was read", "in-dgca.yaml", "sources:\n", "sources: []\nread:\n", ": sources: "],
    [
      "the review is due before the reading",
      br,
      "reviewBy: 2027-05-31",
      "reviewBy: 2026-11-20",
      ": reviewBy: must be after asOf",
    ],
    [
      "the day of coming into force is left open without a note",
      br,
      "  note: The Resolution is of 2016. The day from which it applies was not found.\n",
      "",
      ": inForce",
    ],
    [
      "the law ended before it began",
      "ca-appr.yaml",
      "to: null }",
      "to: 2019-12-14 }",
      ": inForce.to: must not be before 2019-12-15",
    ],
    [
      "a law that is not in force is on",
      "eu-261-2026.yaml",
      "onByDefault: false",
      "onByDefault: true",
      ": onByDefault: must be false",
    ],
    ["two triggers share an id", br, "id: retimed", "id: cancelled", ": triggers.1.id: another trigger is 'cancelled'"],
    [
      "a clock is not defined",
      br,
      "clocks: [br-",
      "clocks: [bra-",
      ": triggers.0.clocks: 'bra-traveller-told-72-hours' is none",
    ],
    [
      "a clock is not used",
      "in-dgca.yaml",
      "clocks: [in-traveller-told-24-hours]",
      "clocks: [in-agent-refund]",
      ": clocks.in-traveller-told-24-hours: no trigger",
    ],
    [
      "limits differ for domestic journeys of which there are none",
      br,
      "domesticWithin: BR\n",
      "",
      ": triggers.1.when: has a limit for domestic journeys",
    ],
    [
      "an amount belongs to another right",
      "ca-appr.yaml",
      "right: compensation",
      "right: partial-refund",
      ": triggers.2.amount: is for the right to compensation",
    ],
    [
      "a row of amounts hides the rows after it",
      "tr-shy-yolcu.yaml",
      ", upToKm: 1500 }",
      " }",
      ": triggers.2.amount.rows.1: fits every journey",
    ],
    ["the id is another", br, "id: br-anac-400", "id: br-anac", ": id: must be the name of the file"],
    ["it is no YAML", br, "scope:\n", "scope: [\n", "Not valid YAML"],
  ])("%s", (_why, file, from, to, expected) => {
    const { code, message } = refusal(changed(file, from, to));

    expect(code).toBe("legal.preset-invalid");
    expect(message).toContain(expected);
    for (const line of message.split("\n")) expect(line).toMatch(new RegExp(`^${file}:\\d+:\\d+: `));
  });

  test("two files define a clock of one name otherwise", () => {
    const [uk] = changed("uk-261.yaml", "term: { days: 7 }", "term: { days: 8 }").values();

    expect(refusal(new Map([...shipped, ["uk-261.yaml", uk!]]))).toMatchObject({
      code: "legal.preset-invalid",
      message: expect.stringMatching(/^uk-261\.yaml:\d+:\d+: clocks\.eu-refund: another file defines this clock/),
    });
  });

  test("every problem of every file is reported at once", () => {
    const [br400] = changed(br, "touches: BR", "touches: Brazil").values();
    const [india] = changed("in-dgca.yaml", "departs: IN", "departs: India").values();
    const { message } = refusal(new Map([...shipped, [br, br400!], ["in-dgca.yaml", india!]]));

    expect(message.split("\n").map((line) => line.split(":")[0])).toEqual([br, "in-dgca.yaml"]);
  });
});
