/** Text that is HTML already. Only `html` makes it. */
export interface Html {
  readonly html: string;
}

/** Builds HTML; every value that is not `Html` itself is escaped, lists are joined, null and undefined vanish. */
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
