import { execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string | URL) => JSON.parse(readFileSync(path, "utf8"));

test("the bill of materials lists every package that is locked", () => {
  const folder = mkdtempSync(join(tmpdir(), "skedchange-sbom-"));
  try {
    const file = join(folder, "sbom.json");
    const command: string = read(new URL("package.json", root)).scripts.sbom;
    execSync(command.replace("sbom.cdx.json", file), { cwd: root });
    // By reference: the name of a package under an alias is the alias.
    const { components } = read(file) as { readonly components: readonly { readonly "bom-ref": string }[] };
    const listed = new Set(components.map((component) => component["bom-ref"]));
    const locked = Object.entries<{ readonly version: string; readonly name?: string }>(
      read(new URL("package-lock.json", root)).packages,
    ).flatMap(([path, { version, name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }]) =>
      path === "" ? [] : [`${name}@${version}`],
    );

    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter((name) => !listed.has(name))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
