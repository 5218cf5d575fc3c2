import { expect, test } from "vitest";
import { renderContract } from "../../../scripts/render-contract.ts";
import { interfaceFields } from "./interface-fields.ts";

test("the contract has every field that the interface document names", () => {
  const rows = renderContract()
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const paths = rows.map((row) => row.split("`")[1]!);
  const keys = new Set(paths.flatMap((path) => path.replaceAll("[]", "").split(".")));

  expect(interfaceFields.length).toBeGreaterThan(300);
  expect(interfaceFields.filter((field) => !keys.has(field))).toEqual([]);
});
