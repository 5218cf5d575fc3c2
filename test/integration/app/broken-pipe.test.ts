import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("a command whose output is no longer read ends without a stack trace", async () => {
  const bin = fileURLToPath(new URL("../../../bin/skedchange.js", import.meta.url));
  const child = spawn(process.execPath, [bin, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });

  const [exitCode] = await once(child, "close");

  expect({ exitCode, stderr }).toEqual({ exitCode: 141, stderr: "" });
});
