/**
 * Looks for declarations of `src` that repeat more than half of the members of another one: `npm run shapes`. Names each
 * with the other one and exits with 1 when there is one that `repeated-shapes.ts` does not name.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findRepeats, type Shape, shapesOf } from "./find-repeated-shapes.ts";
import { knownRepeats } from "./repeated-shapes.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "src"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && existsSync(`${root}/${file}`));
const repeats = findRepeats(files.flatMap((file) => shapesOf(file, readFileSync(`${root}/${file}`, "utf8"))));
const unused = new Set(Object.keys(knownRepeats));
const complaints = repeats.flatMap(({ shape, of, shared }) => {
  const key = keyOf(shape);
  unused.delete(key);
  if (knownRepeats[key] !== undefined) return [];
  return [`${placeOf(shape)} repeats ${shared} of its ${shape.members.size} members from ${placeOf(of)}.`];
});
for (const key of unused) complaints.push(`scripts/repeated-shapes.ts names '${key}', which repeats nothing any more.`);
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error(
    "Take the members from the other declaration: `extends`, `Pick` or `Omit` of a type, `pick` of a schema.",
  );
  process.exitCode = 1;
}

function keyOf({ file, name }: Shape): string {
  return `${file.replace(/^src\//, "")} ${name}`;
}

function placeOf({ file, line, name }: Shape): string {
  return `${file}:${line}${name === "" ? "" : ` ${name}`}`;
}
