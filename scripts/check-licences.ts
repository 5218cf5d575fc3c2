/**
 * Checks the licence of every package that users get from us: the production dependencies, and what the build puts into
 * the pages. `npm run licences` exits with 1 and names those that `allowed-licences.ts` does not allow.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAllowedLicence } from "./allowed-licences.ts";

interface LockedPackage {
  readonly dev?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Their package.json says nothing that a program can read; a person has looked at their text. */
const statedElsewhere: Readonly<Record<string, string>> = { pause: "MIT" };

const root = fileURLToPath(new URL("..", import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const passedOn = new Set(Object.keys(packages).filter((path) => path !== "" && packages[path]!.dev !== true));
for (const name of findBundledPackages()) addWithDependencies(name, "");

const problems = [...passedOn].flatMap((path) => {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const licence = licenceOf(path, name);
  if (licence !== null && isAllowedLicence(licence)) return [];
  return [`${path}: ${licence === null ? "its licence is not stated" : `its licence is ${licence}`}.`];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error("Replace them, or decide on their licence: scripts/allowed-licences.ts.");
  process.exitCode = 1;
} else console.log(`${passedOn.size} packages, all with licences that are allowed.`);

/** What the pages import, and the viewer of the API description, which `scripts/build.js` copies. */
function findBundledPackages(): ReadonlySet<string> {
  const pages = join(root, "src/dashboard/web");
  const names = readdirSync(pages, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(pages, file), "utf8").matchAll(/(?:from|import) "((?:@[\w-]+\/)?[\w-]+)(?:\/[^"]*)?"/g),
    ])
    .map(([, name]) => name!);
  return new Set([...names, "rapidoc"]);
}

/** As Node.js finds a package: in the nearest `node_modules`, from the one that asks upwards. */
function addWithDependencies(name: string, from: string): void {
  let folder = from;
  while (folder !== "" && !Object.hasOwn(packages, `${folder}/node_modules/${name}`)) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  }
  const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
  const found = packages[path];
  if (found === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || "a page"} needs`);
  if (passedOn.has(path)) return;
  passedOn.add(path);
  for (const dependency of Object.keys(found.dependencies ?? {})) addWithDependencies(dependency, path);
}

function licenceOf(path: string, name: string): string | null {
  const locked = packages[path]!.license ?? statedElsewhere[name];
  if (locked !== undefined) return locked;
  const file = join(root, path, "package.json");
  if (!existsSync(file)) return null;
  const { licenses } = JSON.parse(readFileSync(file, "utf8")) as { licenses?: readonly { readonly type?: string }[] };
  return licenses?.[0]?.type ?? null;
}
