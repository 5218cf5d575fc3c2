import { parse } from "yaml";
import { z } from "zod";
import {
  type MemberMark,
  type MemberMarks,
  memberMarksOf,
  shippedMarks,
  valueDigestOf,
  withShipped,
} from "../itinerary/member-marks.ts";
import { AppError } from "../kernel/app-error.ts";
import { createApiClient } from "./api-client.ts";
import { readInput } from "./read-input.ts";
import type { Terminal } from "./terminal.ts";

/** As a person writes it, or as `GET /api/v1/members/{source}/marks` responds, which has more beside the list. */
const marksFile = z.object({
  marks: z.array(
    z
      .strictObject({
        path: z.string().min(1),
        /** Without it and its digest: the path and all below it. */
        value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        valueDigest: z
          .string()
          .regex(/^[0-9a-f]{32}$/, "must be 32 hexadecimal digits")
          .nullish(),
        keyForms: z.array(z.string()).optional(),
        reason: z.string().min(1),
      })
      .refine(({ value, valueDigest }) => value === undefined || valueDigest == null, "has a value and a digest"),
  ),
});

export interface MarksOptions {
  /** A file; it counts before a running agency side. */
  readonly marks?: string;
  /** The address of the agency side that has the marks of a source. */
  readonly url?: string;
  readonly token?: string;
  readonly source?: string;
}

/**
 * Returns the marks of a file or of a source at a running agency side, beside the shipped ones; only these without
 * either.
 * @throws AppError `cli.marks_invalid`, `cli.file_unreadable`, `cli.input_too_long`, and what the API refuses
 */
export async function readMarks(
  { marks: file, url, token, source = "default" }: MarksOptions,
  terminal: Terminal,
): Promise<MemberMarks> {
  if (file !== undefined) return withShipped(memberMarksOf(await readFileOfMarks(file, terminal)));
  if (url === undefined) return shippedMarks;
  const api = createApiClient(terminal, { url, ...(token === undefined ? {} : { token }) });
  const { marks } = await api.call("GET /members/{source}/marks", { params: { source } });
  return withShipped(memberMarksOf(marks));
}

/** In YAML or JSON. */
async function readFileOfMarks(file: string, terminal: Terminal): Promise<readonly MemberMark[]> {
  const text = Buffer.from(await readInput(file, terminal)).toString("utf8");
  const read = marksFile.safeParse(parsedOrNull(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    throw new AppError(
      "cli.marks_invalid",
      `The file ${file} holds no marks${place}: ${issue?.message ?? "it is not readable"}. It needs a list "marks" of path, value (optional) and reason, or what the API responds.`,
    );
  }
  return read.data.marks.map(({ path, value, valueDigest = null, keyForms, reason }) => ({
    path,
    valueDigest: value === undefined ? valueDigest : valueDigestOf(String(value)),
    ...(keyForms === undefined ? {} : { keyForms }),
    reason,
  }));
}

function parsedOrNull(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return null;
  }
}
