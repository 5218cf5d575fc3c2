import type { Step } from "./command-steps.ts";

/** The same in bash, zsh and fish. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Rows of a `case` in bash and zsh, by the command as typed. There it begins with a blank, because the script joins its
 * words to an empty text.
 */
export function rowsByCommand(steps: readonly Step[], run: (step: Step) => string): string {
  return steps.map((step) => caseRow(spaced(step.typed), run(step))).join("\n");
}

/** Rows for commands whose first argument is one of a few values. */
export function rowsByArgument(steps: readonly Step[], run: (values: string) => string): string {
  const withValues = steps.filter(({ values }) => values.length > 0);
  return rowsByCommand(withValues, ({ values }) => run(values.join(" ")));
}

/** Rows for options whose value is one of a few, by the command and the option as typed. */
export function rowsByOption(steps: readonly Step[], run: (values: string) => string): string {
  const rows = steps.flatMap(({ typed, options }) =>
    options
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => caseRow(`${spaced(typed)} ${name}`, run(values.join(" ")))),
  );
  return rows.join("\n");
}

/** The pattern of a `case` that any command matches. */
export function anyCommand(steps: readonly Step[]): string {
  return steps
    .filter(({ typed }) => typed !== "")
    .map(({ typed }) => `"${spaced(typed)}"`)
    .join("|");
}

function caseRow(pattern: string, run: string): string {
  return `    "${pattern}") ${run} ;;`;
}

function spaced(typed: string): string {
  return typed === "" ? "" : ` ${typed}`;
}
