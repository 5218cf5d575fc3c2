/**
 * Writes every file that follows from code: `npm run generate`. With `--check` it writes nothing, names the files that
 * are stale and exits with 1.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { settingDescriptions } from "../src/config/settings.ts";
import { caseTransitions, effectTransitions } from "../src/desk/lifecycle.ts";
import { renderFactCatalogue } from "../src/policy/fact-page.ts";
import { generateSchemaFiles } from "./generate-schema.ts";
import { type LayerTable, renderLayers } from "./render-layers.ts";
import { renderLifecycle } from "./render-lifecycle.ts";
import { renderEnvironmentExample, renderSettingsPage } from "./render-settings.ts";

interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly content: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const stale = await findStale(await generateFiles());
if (!options.check) await writeFiles(stale);
else if (stale.length > 0) {
  console.error(`Stale: ${stale.map(({ path }) => path).join(", ")}. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

async function generateFiles(): Promise<readonly GeneratedFile[]> {
  return [
    { path: ".env.example", content: renderEnvironmentExample(settingDescriptions) },
    { path: "docs/settings.md", content: renderSettingsPage(settingDescriptions) },
    { path: "docs/facts.md", content: renderFactCatalogue() },
    { path: "docs/lifecycle.md", content: renderLifecycle(caseTransitions, effectTransitions) },
    { path: "docs/architecture.md", content: await generateArchitecturePage() },
    ...(await generateSchemaFiles()),
  ];
}

/** The page is written by hand but for the layers, which come from the rules that hold them. */
async function generateArchitecturePage(): Promise<string> {
  const rules = join(root, ".dependency-cruiser.js");
  const table = (await import(rules)) as LayerTable;
  const page = await readFile(join(root, "docs/architecture.md"), "utf8");
  const [begin, end] = ["<!-- generated: layers -->\n", "<!-- end of generated -->"];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error("docs/architecture.md lost the comments around its generated part.");
  return `${page.slice(0, from + begin.length)}\n${renderLayers(table)}\n${page.slice(to)}`;
}

async function findStale(files: readonly GeneratedFile[]): Promise<readonly GeneratedFile[]> {
  const present = await Promise.all(files.map(({ path }) => readFile(join(root, path), "utf8").catch(() => undefined)));
  return files.filter(({ content }, index) => content !== present[index]);
}

async function writeFiles(files: readonly GeneratedFile[]): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
    console.log(`Wrote ${path}`);
  }
}
