import { parse } from "yaml";
import { z } from "zod";
import {
  type MemberMarks,
  memberMarksOf,
  shippedMarks,
  valueDigestOf,
  withShipped,
} from "../itinerary/member-marks.ts";
import { AppError } from "../kernel/app-error.ts";
import { readInput } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

const marksFile = z.strictObject({
  marks: z.array(
    z.strictObject({
      path: z.string().min(1),
      /** Left out for the path and all below it. */
      value: z.union([z.string(), z.number(), z.boolean()]).optional(),
      reason: z.string().min(1),
    }),
  ),
});

/**
 * Reads marks in YAML or JSON, beside the shipped ones; only these without a file.
 * @throws AppError `cli.marks_invalid`, `cli.file_unreadable`, `cli.input_too_long`
 */
export async function readMarks(file: string | undefined, terminal: Terminal): Promise<MemberMarks> {
  if (file === undefined) return shippedMarks;
  const text = Buffer.from(await readInput(file, terminal)).toString("utf8");
  const read = marksFile.safeParse(parsedOrNull(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    throw new AppError(
      "cli.marks_invalid",
      `The file ${file} holds no marks${place}: ${issue?.message ?? "it is not readable"}. It needs a list "marks" of path, value (optional) and reason.`,
    );
  }
  const marks = read.data.marks.map(({ path, value, reason }) => ({
    path,
    valueDigest: value === undefined ? null : valueDigestOf(String(value)),
    reason,
  }));
  return withShipped(memberMarksOf(marks));
}

function parsedOrNull(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return null;
  }
}
