import type { z } from "zod";
import { AppError } from "../src/kernel/app-error.ts";
import { digestOfValue } from "../src/kernel/digest.ts";
import { type ClockDefinition, type LegalPreset, presetSchema } from "../src/policy/legal/preset.ts";
import { readPolicyDocument } from "../src/policy/policy-document.ts";
import type { TextPosition } from "../src/policy/text-position.ts";

/** The shipped files of `presets/`, in the order of evaluation and display. */
export const presetFiles = [
  "us-dot-260.yaml",
  "eu-261.yaml",
  "uk-261.yaml",
  "ca-appr.yaml",
  "br-anac-400.yaml",
  "in-dgca.yaml",
  "tr-shy-yolcu.yaml",
  "eu-261-2026.yaml",
] as const;

/**
 * Parses laws from YAML, and checks each one and all together.
 * @param texts file name → content. Without its extension the name must be the preset's id.
 * @throws `legal.preset-invalid` with one line per problem: file, line, column, path, what is wrong.
 */
export function loadPresets(texts: ReadonlyMap<string, string>): readonly LegalPreset[] {
  const clocks = new Map<string, ClockDefinition>();
  const results = [...texts].map(([file, text]) => readPreset(file, text, clocks));
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0) throw new AppError("legal.preset-invalid", problems.join("\n"));
  return results.flatMap(({ preset }) => preset ?? []);
}

interface ReadResult {
  readonly preset?: LegalPreset;
  readonly problems: readonly string[];
}

/** @param clocks those of earlier files; this one's are added. */
function readPreset(file: string, text: string, clocks: Map<string, ClockDefinition>): ReadResult {
  const read = readPolicyDocument(text);
  if (!read.ok) return { problems: read.problems.map((problem) => lineOf(file, problem, [], problem.message)) };
  const { document } = read;
  const located = ({ path, message }: Problem) => lineOf(file, document.positionOf(path), path, message);

  const checked = presetSchema.safeParse(document.data);
  if (!checked.success)
    return { problems: checked.error.issues.flatMap((issue) => problemsOf(issue, [])).map(located) };
  const preset = checked.data;
  const problems: Problem[] = [];
  if (`${preset.id}.yaml` !== file) problems.push({ path: ["id"], message: "must be the name of the file" });
  for (const [name, clock] of Object.entries(preset.clocks)) {
    const before = clocks.get(name);
    if (before !== undefined && digestOfValue(before) !== digestOfValue(clock))
      problems.push({
        path: ["clocks", name],
        message: "another file defines this clock otherwise; name it otherwise",
      });
    clocks.set(name, clock);
  }
  return { preset, problems: problems.map(located) };
}

type Path = readonly (string | number)[];

interface Problem {
  readonly path: Path;
  readonly message: string;
}

function problemsOf(issue: z.core.$ZodIssue, within: Path): readonly Problem[] {
  const path = [...within, ...issue.path.filter((step) => typeof step !== "symbol")];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: "is not known here" }));
  }
  // Explains the best-fitting alternative of a choice: the one with the fewest problems.
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const alternatives = issue.errors.map((inner) => inner.flatMap((each) => problemsOf(each, path)));
    const [nearest = []] = alternatives.sort((a, b) => a.length - b.length);
    return nearest;
  }
  return [{ path, message: issue.message.endsWith("received undefined") ? "is missing" : issue.message }];
}

function lineOf(file: string, { line, column }: TextPosition, path: Path, message: string): string {
  return `${file}:${line}:${column}: ${path.length === 0 ? "" : `${path.join(".")}: `}${message}`;
}
