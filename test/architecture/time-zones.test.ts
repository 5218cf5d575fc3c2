import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("offsets come from one module", () => {
  test("and the linter reports each other way to a time zone", async () => {
    const reported = await lint(`
      const moment = new Date(0);
      export const texts = [
        new Intl.DateTimeFormat("en", { timeZone: "Europe/Lisbon" }).format(moment),
        moment.toLocaleDateString("en", { timeZone: "Europe/Lisbon" }),
        moment.toLocaleTimeString("en", { timeZone: "Europe/Lisbon" }),
        process.versions.tz,
      ];
    `);

    expect(reported).toEqual(["Intl.DateTimeFormat", "toLocaleDateString", "toLocaleTimeString", "tz"]);
  });

  test("and no text is made of a date with a time zone by toLocaleString", async () => {
    const found: string[] = [];
    for (const folder of ["src", "bench", "scripts"]) {
      for (const file of await readdir(join(root, folder), { recursive: true })) {
        if (!/\.(tsx?|js)$/.test(file)) continue;
        const text = await readFile(join(root, folder, file), "utf8");
        if (/\.toLocaleString\([^)]*(timeZone|dateStyle|timeStyle|hour|month)/.test(text))
          found.push(join(folder, file));
      }
    }

    expect(found).toEqual([]);
  });
});

interface LintReport {
  readonly diagnostics: readonly { readonly code: string; readonly labels: readonly { readonly span: Span }[] }[];
}

interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Returns what `no-restricted-properties` of the project complains about in a module. */
async function lint(text: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "lint-"));
  const file = join(folder, "planted.ts");
  const command = [join(root, "node_modules/oxlint/bin/oxlint"), "--config", join(root, ".oxlintrc.json")];
  try {
    await writeFile(file, text);
    const output = await new Promise<string>((resolve) => {
      // It ends with 1 because of what it found.
      execFile(process.execPath, [...command, "--format", "json", file], (_, stdout) => resolve(stdout));
    });
    const { diagnostics } = JSON.parse(output) as LintReport;
    return diagnostics
      .filter(({ code }) => code.includes("no-restricted-properties"))
      .map(({ labels: [label] }) => text.slice(label!.span.offset, label!.span.offset + label!.span.length))
      .sort();
  } finally {
    await rm(folder, { recursive: true });
  }
}
