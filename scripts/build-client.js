// Compiles the package `@skedchange/client`: `src/client/index.ts` and what it imports, to `packages/client/dist`.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const client = join(root, "packages", "client");

rmSync(join(client, "dist"), { recursive: true, force: true });
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.client.json")], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
copyFileSync(join(root, "LICENSE"), join(client, "LICENSE"));
