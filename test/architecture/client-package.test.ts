import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { operationNames } from "../../src/contract/operations/registry.ts";

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

test("docs/client.md names each method of the client with its query and result, and no other", async () => {
  const page = await readFile(join(root, "docs/client.md"), "utf8");
  const methods = [...page.matchAll(/^\| (?:\*\*)?`(?<method>air\w+)`(?:\*\*)?/gm)].map((row) => row.groups!["method"]);

  expect(methods).toEqual(operationNames.map((name) => `a${name.slice(1)}`));
});

test.each(["accept.ts", "receive.ts"])("examples/typescript/%s is an example of docs/client.md", async (file) => {
  const [firstLine, ...program] = (await readFile(join(root, "examples/typescript", file), "utf8")).split("\n");

  expect(firstLine).toMatch(/^\/\/ .* From docs\/client\.md\.$/);
  expect(await readFile(join(root, "docs/client.md"), "utf8")).toContain(`\`\`\`ts\n${program.join("\n")}\`\`\``);
});

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")) as Manifest;
}
