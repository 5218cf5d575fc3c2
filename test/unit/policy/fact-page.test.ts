import { expect, test } from "@jest/globals";
import { factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { contextCatalogue } from "../../../src/policy/condition-names.ts";
import { renderFactCatalogue } from "../../../src/policy/fact-page.ts";

test("the page of facts has a row for everything that a condition can read", () => {
  const rows = renderFactCatalogue()
    .split("\n")
    .filter((line) => line.startsWith("| `"));

  expect(rows.map((row) => /^\| `([\w.]+)` \|/.exec(row)?.[1])).toEqual([
    ...Object.keys(factCatalogue),
    ...Object.keys(contextCatalogue),
  ]);
  expect(rows).toContainEqual(expect.stringMatching(/^\| `ticketed` \| bool \|  \| Whether tickets are issued/));
  expect(rows).toContainEqual(expect.stringMatching(/^\| `departureLaterMinutes` \| int \| min \| /));
});
