/** A JSON text, indented, with the part that a JSON Pointer names. */
export interface MarkedJson {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Marks the deepest part on the way that is there, because the pointer may name what is missing. Null if it is no JSON. */
export function markPart(text: string, pointer: string): MarkedJson | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  const [holder, key] = findPart({ "": root }, pointer);
  const part = holder[key];
  const placeholder = `part-${crypto.randomUUID()}`;
  holder[key] = placeholder;
  const whole = JSON.stringify(key === "" ? placeholder : root, null, 2);
  const [before = "", after = ""] = whole.split(JSON.stringify(placeholder));
  const indent = /^ */.exec(before.slice(before.lastIndexOf("\n") + 1))?.[0] ?? "";
  return { before, marked: JSON.stringify(part, null, 2).replaceAll("\n", `\n${indent}`), after };
}

type Holder = Record<string, unknown>;

function findPart(top: Holder, pointer: string): readonly [Holder, string] {
  let holder = top;
  let key = "";
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const inside = holder[key];
    if (inside === null || typeof inside !== "object" || !Object.hasOwn(inside, name)) break;
    holder = inside as Holder;
    key = name;
  }
  return [holder, key];
}
