import { isRecord } from "../kernel/record.ts";

/**
 * Stands where one object states a key twice: `JSON.parse` keeps the last value, and nobody knows which one holds. Whatever
 * is looked for in it is stated twice as well, so each of its members is itself.
 */
export const statedTwice: { readonly "stated twice": true } = new Proxy(Object.freeze({ "stated twice": true }), {
  get: (marker, key, self) => (typeof key === "symbol" || key in marker ? Reflect.get(marker, key) : self),
});

/** An object that states a key twice. */
export interface DoubledKey {
  readonly holder: { readonly [key: string]: unknown };
  readonly key: string;
}

/** Puts {@link statedTwice} in the place of every value whose key stands twice in one object. */
export function markDoubledKeys(text: string, value: unknown): void {
  if (countKeys(text) === countMembers(value)) return;
  for (const { holder, key } of findDoubledKeys(text, value)) {
    Object.defineProperty(holder, key, { value: statedTwice, enumerable: true, configurable: true, writable: true });
  }
}

/**
 * Counts what looks like keys. It may count too many, in strings that hold JSON, but never too few: so as many as there
 * are members means that no key stands twice.
 */
function countKeys(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === quote) count += 1;
  }
  return count;
}

function countMembers(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === "object" && item !== null) open.push(item);
    } else if (isRecord(next)) {
      for (const key in next) {
        count += 1;
        const member = next[key];
        if (typeof member === "object" && member !== null) open.push(member);
      }
    }
  }
  return count;
}

interface Frame {
  /** The parsed list or object; undefined where a later value of the same key has taken its place. */
  readonly node: unknown;
  /** Null for a list. */
  readonly keys: Set<string> | null;
  /** Where the next value stands in the node. */
  at: string | number;
}

/** Reads the text once, beside what it was parsed to. */
export function findDoubledKeys(text: string, value: unknown): readonly DoubledKey[] {
  const doubled: DoubledKey[] = [];
  const frames: Frame[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const frame = frames.at(-1);
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (frame !== undefined && frame.keys !== null && isBeforeColon(text, end)) {
          const key = keyOf(text.slice(at, end));
          if (frame.keys.has(key) && isRecord(frame.node)) doubled.push({ holder: frame.node, key });
          frame.keys.add(key);
          frame.at = key;
        }
        at = end - 1;
        break;
      }
      case openBrace:
        frames.push({ node: nodeIn(frame, value), keys: new Set(), at: "" });
        break;
      case openBracket:
        frames.push({ node: nodeIn(frame, value), keys: null, at: 0 });
        break;
      case closeBrace:
      case closeBracket:
        frames.pop();
        break;
      case comma:
        if (frame !== undefined && typeof frame.at === "number") frame.at += 1;
        break;
    }
  }
  return doubled;
}

function nodeIn(frame: Frame | undefined, root: unknown): unknown {
  if (frame === undefined) return root;
  const { node, at } = frame;
  if (typeof at === "number") return Array.isArray(node) ? node[at] : undefined;
  return isRecord(node) && Object.hasOwn(node, at) ? node[at] : undefined;
}

/** Two spellings of one key, such as `A` and its escape, are the same. */
function keyOf(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function isBeforeColon(text: string, at: number): boolean {
  let next = at;
  while (isBlank(text.charCodeAt(next))) next += 1;
  return text.charCodeAt(next) === colon;
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
}
