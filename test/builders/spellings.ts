/** The same JSON as gateways and callers of this family also spell it. */

/** Every key in lower case but those that are codes, such as card types and rule topics: these are content. */
export function inLowerCase(json: unknown): unknown {
  return mapped(
    json,
    (key) => (key === key.toUpperCase() ? key : key.toLowerCase()),
    (value) => value,
  );
}

/** Every number as text. */
export function numbersAsText(json: unknown): unknown {
  return mapped(
    json,
    (key) => key,
    (value) => (typeof value === "number" ? String(value) : value),
  );
}

function mapped(json: unknown, key: (key: string) => string, value: (value: unknown) => unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => mapped(item, key, value));
  if (json === null || typeof json !== "object") return value(json);
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [key(name), mapped(member, key, value)]));
}
