// Reads what Vitest's reporter `json` wrote.
//   failed FILE               prints the files of tests that failed, one a line
//   count FOLDER NAME [...]   prints "N passed, N failed" over the runs of these names; exits with 1 if any failed
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [command, ...rest] = process.argv.slice(2);
if (command === "failed") {
  for (const { name } of filesOf(rest[0]).filter(hasFailed)) console.log(name);
} else {
  const [folder, ...names] = rest;
  const counts = names.map((name) => count(join(folder, `${name}.json`), join(folder, `${name}-again.json`)));
  const passed = counts.reduce((sum, each) => sum + each.passed, 0);
  const failed = counts.reduce((sum, each) => sum + each.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** A file that was run again counts as it ended then. A run that left no results counts as one that failed. */
function count(first, again) {
  try {
    const repeated = existsSync(again) ? filesOf(again) : [];
    const names = new Set(repeated.map(({ name }) => name));
    const files = [...filesOf(first).filter(({ name }) => !names.has(name)), ...repeated];
    return { passed: sum(files, "passed"), failed: sum(files, "failed") + files.filter(isUnloaded).length };
  } catch (error) {
    console.log(`The tests left no results: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

function filesOf(path) {
  return JSON.parse(readFileSync(path, "utf8")).testResults;
}

function hasFailed(file) {
  return file.status === "failed";
}

/** A file that could not even be loaded has no tests to count, so it counts as one that failed. */
function isUnloaded(file) {
  return hasFailed(file) && sum([file], "failed") === 0;
}

function sum(files, status) {
  return files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;
}
