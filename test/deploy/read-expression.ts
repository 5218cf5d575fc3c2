/** What an expression of Prometheus asks for. */
export interface ReadExpression {
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** The labels of `by`, `without`, `on` and `ignoring`. */
  readonly groupings: readonly string[];
}

const token = /"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[a-zA-Z_:][\w:]*|[\d.]+[a-z]*|[{}(),]|[^\s\w"[\]{}(),]+/g;
const grouping: ReadonlySet<string> = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);
const operators: ReadonlySet<string> = new Set(["and", "or", "unless", "bool", "offset"]);
const isName = (text: string): boolean => /^[a-zA-Z_:]/.test(text);

/** Reads which metrics and labels it names. Its syntax is for Prometheus to check. */
export function readExpression(text: string): ReadExpression {
  const tokens: readonly string[] = text.match(token) ?? [];
  const selectors: { metric: string; labels: string[] }[] = [];
  const groupings: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]!;
    const next = tokens[at + 1] ?? "";
    if (grouping.has(word) && next === "(") {
      const end = tokens.indexOf(")", at);
      groupings.push(...tokens.slice(at + 2, end).filter(isName));
      at = end;
    } else if (word === "{") {
      const end = tokens.indexOf("}", at);
      selectors.at(-1)?.labels.push(...tokens.slice(at + 1, end).filter(isName));
      at = end;
    } else if (isName(word) && !operators.has(word) && next !== "(" && !grouping.has(next)) {
      selectors.push({ metric: word, labels: [] });
    }
  }
  return { selectors, groupings };
}
