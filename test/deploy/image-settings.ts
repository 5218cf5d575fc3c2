import { readFileSync } from "node:fs";

/** The settings that the image brings, from the `ENV` of the Dockerfile. */
export function readImageSettings(): Readonly<Record<string, string>> {
  const dockerfile = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");
  const [, variables = ""] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
  const pairs = variables.split(" ").map((pair) => pair.split("=") as [string, string]);
  return Object.fromEntries(pairs.filter(([name]) => name !== "NODE_ENV"));
}
