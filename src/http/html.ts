/** Escaped HTML. Only `html` creates it. */
export interface Html {
  readonly html: string;
}

/** Escapes every value that is not `Html`, joins lists, and leaves out null and undefined. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  let text = parts[0]!;
  values.forEach((value, index) => {
    text += render(value) + parts[index + 1]!;
  });
  return { html: text };
}

function render(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(render).join("");
  if (typeof value === "object" && "html" in value && typeof value.html === "string") return value.html;
  return escapeHtml(String(value));
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);
}
