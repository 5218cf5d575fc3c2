import { monstrousValues } from "./monstrous-values.ts";
import type { RandomNumbers } from "./random-numbers.ts";

/**
 * A body damaged at random places: what a gateway with a fault, or one that nobody has seen yet, could send. The JSON is
 * changed one to four times; the bytes as well in one of ten bodies.
 */
export function corruptBody(body: string, random: RandomNumbers): Uint8Array {
  const root: Container = { body: JSON.parse(body) as unknown };
  for (let changes = 1 + random.integer(4); changes > 0; changes -= 1) {
    if (Object.keys(root).length > 0) random.pick(corruptions)(slotIn(root, random), random, root);
  }
  const bytes = Buffer.from(withoutMarks(JSON.stringify(root["body"]) ?? ""));
  return random.oneIn(10) ? corruptBytes(bytes, random) : bytes;
}

type Container = Record<string, unknown>;

/** A member of an object or an element of a list. */
interface Slot {
  readonly parent: Container;
  readonly key: string;
}

type Corruption = (slot: Slot, random: RandomNumbers, root: Container) => void;

const corruptions: readonly Corruption[] = [
  remove,
  duplicate,
  respellKey,
  retype,
  nest,
  swap,
  insertCharacter,
  ({ parent, key }, random) => {
    parent[key] = random.pick<unknown>([null, "", {}, [], " ", "NA", "undefined"]);
  },
  ({ parent, key }, random) => {
    parent[key] = random.pick<unknown>([0, -1, 1e21, 1e-7, 134.953532, true, false, longNumberMark]);
  },
  (slot, random) => {
    if (random.oneIn(100)) slot.parent[slot.key] = `${monsterMark}${random.pick(Object.keys(monstrousValues))}`;
    else insertCharacter(slot, random);
  },
];

/** Somewhere on the way from the root to a leaf. Seldom the root itself, which leaves little to read. */
function slotIn(root: Container, random: RandomNumbers): Slot {
  let parent = root;
  for (let depth = 0; ; depth += 1) {
    const key = random.pick(Object.keys(parent));
    const value = parent[key];
    const stopsHere = random.oneIn(depth < 2 ? 50 : 8);
    if (!isContainer(value) || Object.keys(value).length === 0 || stopsHere) return { parent, key };
    parent = value;
  }
}

/** Lists as well: their keys are the positions. */
function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function remove({ parent, key }: Slot): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

/** In a list beside the original; in an object under a key that may hide it, or under that of a neighbour. */
function duplicate({ parent, key }: Slot, random: RandomNumbers): void {
  const copy = copyOf(parent[key]);
  if (Array.isArray(parent)) parent.splice(random.integer(parent.length + 1), 0, copy);
  else parent[random.pick([key.toUpperCase(), key.toLowerCase(), ...Object.keys(parent)])] = copy;
}

/** Several times as fast as structuredClone. */
function copyOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}

function respellKey({ parent, key }: Slot, random: RandomNumbers): void {
  if (Array.isArray(parent)) return;
  const value = parent[key];
  delete parent[key];
  const letter = random.integer(key.length + 1);
  const spellings = [
    key.toUpperCase(),
    key.toLowerCase(),
    key.slice(0, letter) + key.slice(letter + 1),
    `${key}s`,
    ` ${key}`,
    "",
    "constructor",
    "toString",
    prototypeMark,
  ];
  parent[random.pick(spellings)] = value;
}

function retype({ parent, key }: Slot, random: RandomNumbers): void {
  const value = parent[key];
  parent[key] = random.pick<unknown>([
    [value],
    { Value: value },
    isContainer(value) ? Object.values(value) : Number(value),
    isContainer(value) ? Object.values(value)[0] : String(value),
    isContainer(value) ? JSON.stringify(value) : Boolean(value),
  ]);
}

function nest({ parent, key }: Slot, random: RandomNumbers): void {
  let value = parent[key];
  for (let depth = 1 + random.integer(30); depth > 0; depth -= 1) value = random.oneIn(2) ? [value] : { [key]: value };
  parent[key] = value;
}

function swap(slot: Slot, random: RandomNumbers, root: Container): void {
  const other = slotIn(root, random);
  // A copy: a value put into its own descendant would have no end.
  const value = copyOf(slot.parent[slot.key]);
  slot.parent[slot.key] = copyOf(other.parent[other.key]);
  other.parent[other.key] = value;
}

function insertCharacter({ parent, key }: Slot, random: RandomNumbers): void {
  const character = random.pick(awkwardCharacters);
  const value = parent[key];
  const at = random.integer(typeof value === "string" ? value.length + 1 : key.length + 1);
  if (typeof value === "string") {
    parent[key] = value.slice(0, at) + character + value.slice(at);
  } else if (!Array.isArray(parent)) {
    delete parent[key];
    parent[key.slice(0, at) + character + key.slice(at)] = value;
  }
}

const awkwardCharacters = [
  "\0",
  "\u{7f}",
  "\u{85}",
  "\u{a0}",
  "\u{ad}",
  "ı",
  "İ",
  "ß",
  "Ł",
  "e\u{301}",
  "\u{200b}",
  "\u{200d}",
  "\u{202e}",
  "\u{2028}",
  "\u{feff}",
  "\u{ffff}",
  "😀",
  "\ud83d",
  "\ude00",
  "'",
  '"',
  "\\",
  "/",
  "~",
  "\n",
  "\t",
  ",",
  "<!--",
  "%00",
  "$&",
];

/** What no JSON value of JavaScript can say stands as a marked text until it is written. */
const monsterMark = "@monster: ";
const longNumberMark = "@long-number";
const prototypeMark = "@prototype";

function withoutMarks(text: string): string {
  return text
    .replaceAll(/"@monster: ([^"]*)"/g, (marked, name: string) => monstrousValues[name] ?? marked)
    .replaceAll(`"${longNumberMark}"`, "1724067361311310318")
    .replaceAll(`"${prototypeMark}"`, '"__proto__"');
}

function corruptBytes(bytes: Buffer, random: RandomNumbers): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = random.integer(bytes.length);
  const length = random.integer(Math.min(64, bytes.length - at) + 1);
  switch (random.integer(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      bytes[at] = bytes[at]! ^ (1 << random.integer(8));
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.of(random.integer(256)), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    default:
      return Buffer.concat([bytes, bytes.subarray(at, at + length)]);
  }
}
