import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { digestOfSources } from "../../../scripts/digest-of-sources.js";
import { packageVersion, version } from "../../../src/app/version.ts";

test("a development version names what it was built from, a released one stands for itself", () => {
  expect(version).toMatch(packageVersion.endsWith("-dev") ? /^\d+\.\d+\.\d+-dev\+\w+$/ : /^\d+\.\d+\.\d+$/);
});

describe("the digest of the sources", () => {
  const root = mkdtempSync(join(tmpdir(), "skedchange-sources-"));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("differs when a file has other bytes or another name, or other packages are locked", () => {
    cpSync(new URL("../../../src/kernel", import.meta.url), join(root, "src"), { recursive: true });
    writeFileSync(join(root, "package-lock.json"), "{}");
    const first = digestOfSources(root);
    expect(digestOfSources(root)).toBe(first);

    writeFileSync(join(root, "src", "new.ts"), "");
    const withFile = digestOfSources(root);
    renameSync(join(root, "src", "new.ts"), join(root, "src", "newer.ts"));
    const renamed = digestOfSources(root);
    writeFileSync(join(root, "src", "newer.ts"), " ");
    const written = digestOfSources(root);
    writeFileSync(join(root, "package-lock.json"), "{ }");

    expect(new Set([first, withFile, renamed, written, digestOfSources(root)]).size).toBe(5);
  });
});
