import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hasProgram, runProgram } from "./find-program.ts";

const folder = fileURLToPath(new URL("../../deploy/systemd/", import.meta.url));
const names = readdirSync(folder);

describe("the units of systemd", () => {
  test("run no process of ours as root, and let none gain rights", () => {
    const services = names.filter((name) => name.endsWith(".service"));
    expect(services.length).toBeGreaterThan(2);
    for (const name of services) {
      const text = readFileSync(join(folder, name), "utf8");
      expect([name, text]).toEqual([name, expect.stringMatching(/^User=(skedchange|postgres)$/m)]);
      expect([name, text]).toEqual([name, expect.stringMatching(/^NoNewPrivileges=yes$/m)]);
      expect([name, text]).toEqual([name, expect.stringMatching(/^CapabilityBoundingSet=$/m)]);
    }
  });

  test("give the owner's password to the migration alone", () => {
    expect(names.filter((name) => readFileSync(join(folder, name), "utf8").includes("owner.env"))).toEqual([
      "skedchange-migrate.service",
    ]);
  });

  test("come with a command that takes its settings from their file and nothing from the environment of root", () => {
    const copy = mkdtempSync(join(tmpdir(), "skedchange-command-"));
    try {
      const write = (name: string, text: string): string => {
        writeFileSync(join(copy, name), text, { mode: 0o755 });
        return join(copy, name);
      };
      const settings = write("skedchange.env", "PORT=3000\n");
      const program = write("program.mjs", "console.log(JSON.stringify([process.env, process.argv.slice(2)]));");
      write("runuser", '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n');
      const command = readFileSync(join(folder, "skedchange"), "utf8")
        .replace("/usr/bin/node", process.execPath)
        .replace("/etc/skedchange/skedchange.env", settings)
        .replace("/opt/skedchange/current/node_modules/skedchange/bin/skedchange.js", program);

      const output = execFileSync("sh", [write("skedchange", command), "case", "two words"], {
        env: { PATH: `${copy}:${process.env["PATH"]}`, PORT: "4000", API_TOKEN: "of-root", TERM: "xterm" },
        encoding: "utf8",
      });

      expect(JSON.parse(output)).toEqual([
        { PATH: "/usr/bin:/bin", TERM: "xterm", PORT: "3000" },
        ["case", "two words"],
      ]);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  const withSystemd = hasProgram("systemd-analyze", "--version") ? test : test.skip;

  withSystemd("are what systemd itself takes for right (needs systemd-analyze)", () => {
    const copy = mkdtempSync(join(tmpdir(), "skedchange-units-"));
    try {
      cpSync(folder, copy, { recursive: true });
      const units = names.filter((name) => /\.(service|timer)$/.test(name)).map((name) => join(copy, name));
      for (const unit of units) {
        // It asks for the program that is started, too.
        const text = readFileSync(unit, "utf8").replaceAll("/usr/bin/node", process.execPath);
        writeFileSync(unit, text);
      }
      expect(runProgram("systemd-analyze", "verify", "--man=no", ...units)).toBe("");
      // In tenths. From 2.0 on it is "MEDIUM" at best.
      runProgram("systemd-analyze", "security", "--offline=true", "--threshold=20", join(copy, "skedchange.service"));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});
