import { describe, expect, test } from "vitest";
import { version } from "../../../src/app/version.ts";
import { reportFindings } from "../../../src/cli/commands/doctor.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createSecretVerifier } from "../../../src/kernel/secret-verifier.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

describe("skedchange", () => {
  test("--help lists the commands", async () => {
    const { exitCode, stdout } = await runCaptured(["--help"]);

    expect(exitCode).toBe(0);
    for (const command of ["serve", "send-ocn", "cases", "case", "users", "migrate", "doctor", "hash-secret", "keys"]) {
      expect(stdout).toContain(`  ${command} `);
    }
  });

  test("--version prints the version", async () => {
    expect((await runCaptured(["--version"])).stdout).toBe(`${version}\n`);
  });

  test.each([[["fly"]], [["cases", "--colour"]], [["case"]]])("called as %j ends with 2 and says why", async (args) => {
    const { exitCode, stderr } = await runCaptured(args);

    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: /);
  });
});

describe("a command that does not exist", () => {
  test.each([[["help", "cses"]], [["cses", "--help"]]])("is named, also when help is asked for: %j", async (args) => {
    const { exitCode, stdout, stderr } = await runCaptured(args);

    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^error: unknown command 'cses'\n\(Did you mean .*cases.*\?\)/);
  });

  test("is not confused with help for one that does", async () => {
    expect((await runCaptured(["help", "cases"])).stdout).toMatch(/^Usage: skedchange cases /);
    expect((await runCaptured(["help"])).stdout).toMatch(/^Usage: skedchange \[options\]/);
  });
});

test("skedchange scenario --list --json prints the list as JSON", async () => {
  const { stdout } = await runCaptured(["scenario", "--list", "--json"]);

  expect(JSON.parse(stdout)).toContainEqual({
    name: "hub-storm",
    orders: expect.any(Number),
    summary: expect.any(String),
  });
});

describe("skedchange hash-secret", () => {
  test("prints a hash that verifies the secret, without the line end of echo", async () => {
    const { exitCode, stdout } = await runCaptured(["hash-secret"], { stdin: "p: ässword \n" });

    expect(exitCode).toBe(0);
    const verifier = createSecretVerifier([new Secret(stdout.trim())]);
    expect(await verifier.verify("p: ässword ", "192.0.2.7")).toBe(true);
    expect(await verifier.verify("p: ässword", "192.0.2.7")).toBe(false);
  });

  test("refuses nothing at all", async () => {
    const { exitCode, stdout, stderr } = await runCaptured(["hash-secret"], { stdin: "\n" });

    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe("Error: Standard input is empty. Give it the secret.\n");
  });
});

describe("what the doctor found", () => {
  const report = (findings: Parameters<typeof reportFindings>[0]) => {
    let stdout = "";
    const exitCode = reportFindings(findings, {
      environment: {},
      stdout: {
        write: (text: string) => {
          stdout += text;
        },
      },
    });
    return { exitCode, lines: linesOf(stdout) };
  };

  test("ends with 0 as long as there are warnings only", () => {
    const { exitCode, lines } = report([
      { subject: "settings", state: "ok", detail: "Runs receiver." },
      { subject: "queue", state: "warning", detail: "Slow." },
      { subject: "api", state: "off", detail: "Not set." },
    ]);

    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      "ok       settings  Runs receiver.",
      "warning  queue     Slow.",
      "off      api       Not set.",
      "",
      "No problems found, but 1 warning: see above.",
      "",
    ]);
  });

  test("ends with 1 on a problem and says what to do", () => {
    const { exitCode, lines } = report([
      { subject: "database", state: "problem", detail: "Away.", advice: "Start it." },
    ]);

    expect(exitCode).toBe(1);
    expect(lines).toEqual(["problem  database  Away.", "                   → Start it.", "", "1 problem to fix.", ""]);
  });
});
