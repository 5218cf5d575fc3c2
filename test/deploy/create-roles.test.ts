import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../deploy/postgres/create-roles.sh", import.meta.url));

test("no password of the database is an argument of a program, which every user of the machine can see", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-roles-"));
  try {
    await writeFile(join(folder, "psql"), '#!/bin/sh\necho "arguments: $*"\n', { mode: 0o755 });

    const { stdout } = await promisify(execFile)("sh", [script], {
      env: {
        PATH: `${folder}:${process.env["PATH"]}`,
        POSTGRES_USER: "postgres",
        POSTGRES_DB: "skedchange",
        SKEDCHANGE_OWNER_PASSWORD: "password-of-the-owner",
        SKEDCHANGE_APP_PASSWORD: "password-of-the-service",
      },
    });

    expect(stdout).toMatch(/^arguments: .*--dbname skedchange/);
    expect(stdout).not.toContain("password-of");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
