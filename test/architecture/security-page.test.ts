import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");

/** Of OWASP ASVS 5.0.0: each section, its requirements of level 1 and those of level 2. */
const requirements = `
  1.1 |  | 1 2
  1.2 | 1 2 3 4 5 | 6 7 8 9
  1.3 | 1 2 | 3 4 5 6 7 8 9 10 11
  1.4 |  | 1 2 3
  1.5 | 1 | 2
  2.1 | 1 | 2 3
  2.2 | 1 2 | 3
  2.3 | 1 | 2 3 4
  2.4 |  | 1
  3.2 | 1 2 | 
  3.3 | 1 | 2 3 4
  3.4 | 1 2 | 3 4 5 6
  3.5 | 1 2 3 | 4 5
  3.7 |  | 1 2
  4.1 | 1 | 2 3
  4.2 |  | 1
  4.3 |  | 1 2
  4.4 | 1 | 2 3 4
  5.1 |  | 1
  5.2 | 1 2 | 3
  5.3 | 1 2 | 
  5.4 |  | 1 2 3
  6.1 | 1 | 2 3
  6.2 | 1 2 3 4 5 6 7 8 | 9 10 11 12
  6.3 | 1 2 | 3 4
  6.4 | 1 2 | 3 4
  6.5 |  | 1 2 3 4 5
  6.6 |  | 1 2 3
  6.8 |  | 1 2 3 4
  7.1 |  | 1 2 3
  7.2 | 1 2 3 4 | 
  7.3 |  | 1 2
  7.4 | 1 2 | 3 4 5
  7.5 |  | 1 2
  7.6 |  | 1 2
  8.1 | 1 | 2
  8.2 | 1 2 | 3
  8.3 | 1 | 
  8.4 |  | 1
  9.1 | 1 2 3 | 
  9.2 | 1 | 2 3 4
  10.1 |  | 1 2
  10.2 |  | 1 2
  10.3 |  | 1 2 3 4
  10.4 | 1 2 3 4 5 | 6 7 8 9 10 11
  10.5 |  | 1 2 3 4 5
  10.6 |  | 1 2
  10.7 |  | 1 2 3
  11.1 |  | 1 2
  11.2 |  | 1 2 3
  11.3 | 1 2 | 3
  11.4 | 1 | 2 3 4
  11.5 |  | 1
  11.6 |  | 1
  12.1 | 1 | 2 3
  12.2 | 1 2 | 
  12.3 |  | 1 2 3 4
  13.1 |  | 1
  13.2 |  | 1 2 3 4 5
  13.3 |  | 1 2
  13.4 | 1 | 2 3 4 5
  14.1 |  | 1 2
  14.2 | 1 | 2 3 4
  14.3 | 1 | 2 3
  15.1 | 1 | 2 3
  15.2 | 1 | 2 3
  15.3 | 1 | 2 3 4 5 6 7
  16.1 |  | 1
  16.2 |  | 1 2 3 4 5
  16.3 |  | 1 2 3 4
  16.4 |  | 1 2 3
  16.5 |  | 1 2 3
  17.1 |  | 1
  17.2 |  | 1 2 3 4
  17.3 |  | 1 2
`;

const levels = new Map<string, number>(
  requirements
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [section, ...numbers] = line.split("|").map((part) => part.trim());
      return numbers.flatMap((part, index) =>
        part
          .split(" ")
          .filter(Boolean)
          .map((number) => [`${section}.${number}`, index + 1] as const),
      );
    }),
);

const notMet = page.slice(page.indexOf("## What is not met"), page.indexOf("## Keeping it so"));
const quoted = [...notMet.matchAll(/\b(\d+\.\d+\.\d+)(¹?)(?!\/)/g)]
  .map(([, number, mark]) => ({ number: number!, mark: mark! }))
  .filter(({ number }) => number !== "5.0.0");

test("the page quotes requirements", () => {
  expect(levels.size).toBe(253);
  expect(quoted.length).toBeGreaterThan(40);
});

test.each(quoted)("requirement $number$mark exists, and is marked if it is of level 1", ({ number, mark }) => {
  expect(levels.has(number)).toBe(true);
  const isInTable = notMet.split("\n").some((line) => line.startsWith("| ") && line.includes(number));
  if (isInTable) expect(mark).toBe(levels.get(number) === 1 ? "¹" : "");
});
