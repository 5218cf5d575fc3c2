import { describe, expect, test } from "@jest/globals";
import { renderContract } from "../../../scripts/render-contract.ts";
import { businessCodes } from "../../../src/contract/business-codes.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { interfaceFields } from "./interface-fields.ts";

const page = renderContract();

/** The cells of every row of every table of fields. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells.length === 7)
  .map(([, path = "", type = "", needed = "", notes = "", section = ""]) => ({ path, type, needed, notes, section }));

const shownKeys = new Set(
  rows.flatMap(({ path }) => path.replaceAll("`", "").split(".")).map((key) => key.replaceAll("[]", "")),
);

describe("docs/contract.md", () => {
  test("has a row for every field that the interface document names", () => {
    expect(interfaceFields.length).toBeGreaterThan(300);
    expect(interfaceFields.filter((field) => !shownKeys.has(field))).toEqual([]);
  });

  test("says of every field what type it has, whether it is required, and which heading shows it", () => {
    const headings = new Set([
      "Common request envelope",
      "Identifiers",
      "Money object",
      "Order / offer object",
      "Payments (in order views and notifications)",
      "DataLists",
      "Service and seat offers",
      "Fare rules",
      "Schedule-change objects",
      "Result objects of other operations",
      "States and transitions",
      "Endpoints",
      "Events",
      "Errors",
      "Limits",
    ]);

    expect(rows.length).toBeGreaterThan(600);
    for (const { type, needed, section } of rows) {
      expect(type).not.toBe("");
      expect(needed).toMatch(/^(required|optional)$/);
      expect(headings).toContain(section);
    }
  });

  test("explains every field but the roots of bodies", () => {
    const unexplained = rows.filter(({ notes }) => notes === "").map(({ path }) => path);

    expect(unexplained.filter((path) => !/^`\w+(?:RQ|RS)`$/.test(path))).toEqual([]);
  });

  test("leads every link to a heading", () => {
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, text]) => anchorOf(text!)));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);

    expect(links.length).toBeGreaterThan(100);
    for (const anchor of links) expect(headings).toContain(anchor);
  });

  test("shows every operation and every business code", () => {
    for (const { name, requestRoot, responseRoot } of everyOperation) {
      expect(page).toContain(
        `| [${name}](#${name.toLowerCase()}) | \`/${name}\` | \`${requestRoot}\` | \`${responseRoot}\``,
      );
    }
    for (const { number, names } of businessCodes) expect(page).toContain(`| ${number} | \`${names[0]}\``);
  });
});

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
