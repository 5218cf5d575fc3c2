import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readPolicyFile, readPolicyText, shippedPolicyNames } from "../../src/app/policy-file.ts";
import { sampleOf } from "../harness/sample-size.ts";
import { readExpected, readFamily, renderOutcome, writeExpected } from "./corpus-files.ts";
import { decideSubject, type Material } from "./decide-subject.ts";
import type { Subject } from "./subject.ts";

/** Families that cross limits on both sides, each subject at first contact: about half of the work. */
export const gridFamilies: readonly string[] = ["airlines", "bookings", "connections", "law", "structure", "times"];

/** A family is up to a thousand decisions, 2 ms each where nothing else runs, and many times that where much does. */
const familyTimeoutMs = 120_000;

/** Differing subjects of a family that are printed; their number is given for all of it. */
const shownMax = 10;

/** Decides about the subjects of each family and compares: in `npm test` about one in three, in the proofs about all. */
export function testFamilies(names: readonly string[]): void {
  const policies = readPolicies();
  test.each(names)(
    "in the family %s",
    async (name) => {
      const { subjects, bodies } = readFamily(name);
      const isUpdate = process.env["CORPUS"] === "update";
      const tried = isUpdate ? subjects : [...sampleOf(subjects, 3)];
      const got = await decideFamily(name, tried, { bodies, policies, views: new Map() });
      if (isUpdate) writeExpected(name, got.values());
      const isTried = (id: string) => tried.length === subjects.length || got.has(id);
      const expected = [...readExpected(name)].filter(([id]) => isTried(id));
      expect(describeDifferences(name, new Map(expected), got)).toBe("");
    },
    familyTimeoutMs,
  );
}

function readPolicies(): Material["policies"] {
  const folder = new URL("policies/", import.meta.url);
  return new Map([
    ...shippedPolicyNames.map((name) => [name, readPolicyFile(name).policy] as const),
    ...readdirSync(folder).map((file) => {
      const text = readFileSync(new URL(file, folder), "utf8");
      return [file.replace(/\.yaml$/, ""), readPolicyText(text, file)] as const;
    }),
  ]);
}

/** A line for each subject, by its id. */
async function decideFamily(
  name: string,
  subjects: readonly Subject[],
  material: Material,
): Promise<ReadonlyMap<string, string>> {
  const lines = new Map<string, string>();
  for (const subject of subjects) {
    if (lines.has(subject.id)) throw new Error(`two subjects of the family ${name} have the id ${subject.id}`);
    lines.set(subject.id, renderOutcome(subject.id, await decideSubject(subject, material)));
  }
  return lines;
}

/** Empty when there are none. */
function describeDifferences(
  family: string,
  expected: ReadonlyMap<string, string>,
  got: ReadonlyMap<string, string>,
): string {
  const ids = [...new Set([...expected.keys(), ...got.keys()])].filter((id) => expected.get(id) !== got.get(id));
  if (ids.length === 0) return "";
  const shown = ids
    .slice(0, shownMax)
    .flatMap((id) => [id, `  expected ${withoutId(expected.get(id))}`, `  got      ${withoutId(got.get(id))}`]);
  return [
    `${ids.length} of ${got.size} subjects of the family ${family} are decided otherwise.`,
    ...shown,
    ...(ids.length > shownMax ? [`and ${ids.length - shownMax} more`] : []),
    "Was this meant? Update the corpus in a commit of its own that says why: CORPUS=update npm test -- test/corpus",
  ].join("\n");
}

function withoutId(line: string | undefined): string {
  return line === undefined ? "nothing" : line.slice(line.indexOf("\t") + 1).replaceAll("\t", "  ");
}
