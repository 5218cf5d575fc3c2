import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Returns twelve digits that differ whenever a source file or a package that a build is made from does. */
export function digestOfSources(root) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  const files = readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const content = createHash("sha256").update(readFileSync(file)).digest("hex");
    hash.update(`\n${relative(root, file)} ${content}`);
  }
  return hash.digest("hex").slice(0, 12);
}
