import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly version: string;
  readonly engines: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

test("the client's package has the version of Skedchange, and the same versions of what it needs", async () => {
  const main = await manifestIn(".");
  const client = await manifestIn("packages/client");

  expect(client.version).toBe(main.version);
  expect(client.engines).toEqual(main.engines);
  const { undici, zod } = main.dependencies;
  expect(client.dependencies).toEqual({ undici, zod });
});

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")) as Manifest;
}
