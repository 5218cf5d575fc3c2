/**
 * Writes every file that follows from code: `npm run generate`. With `--check` it writes nothing, names the files that
 * are stale and exits with 1.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeAgencySide, describeGatewaySide } from "../src/app/openapi-documents.ts";
import { caseTransitions, effectTransitions } from "../src/cases/lifecycle.ts";
import { settingDescriptions } from "../src/config/settings.ts";
import type { LegalPreset } from "../src/policy/legal/preset.ts";
import { policyJsonSchema } from "../src/policy/policy-schema.ts";
import { renderAirlineLimits, renderAirlineThresholds } from "./airline-limits.ts";
import { loadPresets, presetFiles } from "./load-presets.ts";
import { renderChecks, renderFurtherReviews, renderPriorities, renderStarts } from "./render-checks.ts";
import { renderContract } from "./render-contract.ts";
import { renderFactCatalogue } from "./render-facts.ts";
import { gatewayTables } from "./render-gateway.ts";
import { renderLegalPage } from "./render-laws.ts";
import { type LayerTable, renderLayers } from "./render-layers.ts";
import { renderLifecycle } from "./render-lifecycle.ts";
import { renderMembers } from "./render-members.ts";
import { renderComposeSettings, renderEnvironmentExample, renderSettingsPage } from "./render-settings.ts";
import { renderZones } from "./render-zones.ts";

interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly content: string;
}

const root = fileURLToPath(new URL("..", import.meta.url));
/** How the OpenAPI documents are broken into lines. */
const lineLengthMax = 160;
const depthMax = 9;

const { values: options } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const stale = await findStale(await generateFiles());
if (!options.check) await writeFiles(stale);
else if (stale.length > 0) {
  console.error(`Stale: ${stale.map(({ path }) => path).join(", ")}. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}

async function generateFiles(): Promise<readonly GeneratedFile[]> {
  const [presets, layers] = [await readPresets(), await readLayerTable()];
  return [
    { path: ".env.example", content: renderEnvironmentExample(settingDescriptions) },
    { path: "docs/settings.md", content: renderSettingsPage(settingDescriptions) },
    { path: "docs/facts.md", content: renderFactCatalogue() },
    { path: "docs/members.md", content: renderMembers() },
    { path: "src/travel/zones.json", content: renderZones() },
    { path: "src/policy/legal/presets.json", content: renderJson(presets) },
    { path: "docs/policy/legal.md", content: renderLegalPage(presets) },
    { path: "docs/policy/policy.schema.json", content: renderJson(policyJsonSchema()) },
    ...(await generateAirlineThresholds()),
    { path: "docs/lifecycle.md", content: renderLifecycle(caseTransitions, effectTransitions) },
    await generatePage("docs/architecture.md", {
      starts: renderStarts,
      checks: renderChecks,
      "further reviews": renderFurtherReviews,
      layers: () => renderLayers(layers),
    }),
    await generatePage("docs/clocks.md", { priorities: renderPriorities }),
    { path: "docs/contract.md", content: renderContract() },
    await generatePage("docs/gateway.md", gatewayTables),
    { path: "docs/openapi/agency.json", content: renderJson(describeAgencySide()) },
    { path: "docs/openapi/gateway.json", content: renderJson(describeGatewaySide()) },
    await generateComposeFile(),
  ];
}

/** The laws as their files say now, which is not what the program was loaded with when a file was changed. */
async function readPresets(): Promise<readonly LegalPreset[]> {
  const folder = join(root, "src/policy/legal/presets");
  const texts = presetFiles.map(async (file) => [file, await readFile(join(folder, file), "utf8")] as const);
  return loadPresets(new Map(await Promise.all(texts)));
}

/** A line for each part that a review looks at: what fits into one, or lies deeper than `depthMax`, is not broken. */
function renderJson(document: object): string {
  return `${renderPart(document, 0)}\n`;
}

function renderPart(part: unknown, depth: number): string {
  const line = JSON.stringify(part);
  const indent = " ".repeat(depth);
  if (part === null || typeof part !== "object" || depth === depthMax || line.length + depth < lineLengthMax)
    return line;
  const [open, close] = Array.isArray(part) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(part)
    ? part.map((each) => renderPart(each, depth + 1))
    : Object.entries(part).map(([name, each]) => `${JSON.stringify(name)}: ${renderPart(each, depth + 1)}`);
  return `${open}\n${parts.map((each) => `${indent} ${each}`).join(",\n")}\n${indent}${close}`;
}

/** A page that is written by hand but for the tables that follow from code, each between two marks. */
async function generatePage(path: string, tables: Readonly<Record<string, () => string>>): Promise<GeneratedFile> {
  let content = await readFile(join(root, path), "utf8");
  for (const [name, render] of Object.entries(tables)) {
    const marks = [`<!-- generated: ${name} -->\n`, "<!-- end of generated -->"] as const;
    content = fillInText(content, path, ...marks, `\n${render().trimEnd()}\n\n`);
  }
  return { path, content };
}

async function generateComposeFile(): Promise<GeneratedFile> {
  const path = "docker-compose.yml";
  const marks = ["# <generated>\n", "  # </generated>"] as const;
  const own = await fillIn(path, ...marks, "");
  return { path, content: fillInText(own, path, ...marks, renderComposeSettings(settingDescriptions, own)) };
}

async function readLayerTable(): Promise<LayerTable> {
  return (await import(join(root, ".dependency-cruiser.js"))) as LayerTable;
}

/** The published limits of airlines, in the policy that uses them and on its page. */
async function generateAirlineThresholds(): Promise<readonly GeneratedFile[]> {
  const policy = "src/policy/shipped/airline-thresholds.yaml";
  const page = "docs/policy/airline-thresholds.md";
  const [begin, end] = ["<!-- generated: limits -->\n", "<!-- end of generated -->"];
  return [
    {
      path: policy,
      content: await fillIn(policy, "# <generated>\n", "    # </generated>", `${renderAirlineThresholds()}\n`),
    },
    { path: page, content: await fillIn(page, begin, end, `\n${renderAirlineLimits()}\n\n`) },
  ];
}

/** The file with what stands between two marks replaced. */
async function fillIn(path: string, begin: string, end: string, content: string): Promise<string> {
  return fillInText(await readFile(join(root, path), "utf8"), path, begin, end, content);
}

function fillInText(file: string, path: string, begin: string, end: string, content: string): string {
  const from = file.indexOf(begin);
  const to = file.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`${path} lost the comments around its generated part.`);
  return `${file.slice(0, from + begin.length)}${content}${file.slice(to)}`;
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
