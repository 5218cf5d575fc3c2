import { expect, test } from "@jest/globals";
import { factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { renderFactCatalogue } from "../../../src/policy/fact-page.ts";

test("the page of facts has a row for everything that a condition can read", () => {
  const rows = renderFactCatalogue()
    .split("\n")
    .filter((line) => line.startsWith("| `"));

  expect(rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1])).toEqual([
    ...Object.keys(factCatalogue),
    "source",
    "orderId",
  ]);
  expect(rows).toContainEqual(expect.stringMatching(/^\| `ticketed` \| bool \|  \| Whether tickets are issued/));
  expect(rows).toContainEqual(expect.stringMatching(/^\| `departureLaterMinutes` \| int \| min \| /));
});
