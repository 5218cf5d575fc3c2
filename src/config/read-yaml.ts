import { parseDocument } from "yaml";

/** Reads one document, or says why it cannot, without what it holds: the messages of the package quote values. */
export function readYaml(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  // Its warnings quote values as well.
  const document = parseDocument(text, { logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) {
    const [at] = error.linePos ?? [];
    const where = at === undefined ? "" : ` at line ${at.line}, column ${at.col}`;
    return { ok: false, problem: `is no YAML: ${error.code.toLowerCase().replaceAll("_", " ")}${where}` };
  }
  try {
    return { ok: true, value: document.toJS() };
  } catch {
    // Aliases are not resolved before this. Those that multiply without end are refused here, too.
    return {
      ok: false,
      problem:
        "is no YAML: it has an alias (*) or a merge key (<<) that cannot be resolved; quote a value that begins with *",
    };
  }
}
