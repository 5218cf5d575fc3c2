/**
 * Looks for retired words in declared names, test titles and page texts: `npm run words`. Names each place with the word to use
 * and exits with 1 when there is one. The list is in `retired-words.ts`.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Node, parseSync } from "oxc-parser";
import { type RetiredWord, retiredWords } from "./retired-words.ts";

type Place = "name" | "title" | "page text";

interface Found {
  readonly place: Place;
  readonly text: string;
  readonly offset: number;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const files = execFileSync("git", ["ls-files", "src", "test", "bench", "scripts"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && existsSync(`${root}/${file}`));
const used = new Set<string>();
const complaints = files.flatMap(complaintsAbout);
for (const { word, except = [] } of retiredWords) {
  const unused = except.filter((name) => !used.has(`${word} ${name}`));
  if (unused.length > 0)
    complaints.push(`scripts/retired-words.ts: '${word}' has exceptions that nothing needs: ${unused.join(", ")}.`);
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error(
    `${complaints.length} uses of retired words. Rename them, or add an exception to scripts/retired-words.ts.`,
  );
  process.exitCode = 1;
}

function complaintsAbout(file: string): readonly string[] {
  const source = readFileSync(`${root}/${file}`, "utf8");
  const found: Found[] = [];
  collect(parseSync(file, source).program, file.startsWith("src/dashboard/web/"), found);
  return found.flatMap(({ place, text, offset }) => {
    const retired = retiredWords.find((entry) => uses(entry, place, text));
    if (retired === undefined) return [];
    const line = source.slice(0, offset).split("\n").length;
    return [`${file}:${line}: the ${place} '${text}' has the retired word '${retired.word}'; use ${retired.use}.`];
  });
}

function uses({ word, in: places = ["name"], except = [] }: RetiredWord, place: Place, text: string): boolean {
  if (!places.includes(place)) return false;
  const words = ` ${text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replaceAll(/[^A-Za-z]+/g, " ")
    .toLowerCase()} `;
  if (!words.includes(` ${word} `)) return false;
  const exception = except.find((name) => name === text);
  if (exception !== undefined) used.add(`${word} ${exception}`);
  return exception === undefined;
}

/** Names are those that the file declares: a name that is imported is looked at where it is declared. */
function collect(node: unknown, isPage: boolean, found: Found[]): void {
  if (Array.isArray(node)) {
    for (const child of node) collect(child, isPage, found);
    return;
  }
  if (!isNode(node)) return;
  for (const { name, start } of declaredBy(node)) found.push({ place: "name", text: name, offset: start });
  const title = titleOf(node);
  if (title !== null) found.push({ place: "title", text: title, offset: node.start });
  if (isPage && node.type === "JSXText" && node.value.trim() !== "") {
    found.push({ place: "page text", text: node.value.trim(), offset: node.start });
  }
  // A text of a page has several words; a key or a code has one.
  if (isPage && node.type === "Literal" && typeof node.value === "string" && node.value.includes(" ")) {
    found.push({ place: "page text", text: node.value, offset: node.start });
  }
  for (const [key, child] of Object.entries(node)) if (key !== "parent") collect(child, isPage, found);
}

function declaredBy(node: Node): readonly { readonly name: string; readonly start: number }[] {
  switch (node.type) {
    case "VariableDeclarator":
      return namesIn(node.id);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [...namesIn(node.id), ...node.params.flatMap(namesIn)];
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return namesIn(node.id);
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "PropertyDefinition":
    case "MethodDefinition":
      return node.computed ? [] : namesIn(node.key);
    default:
      return [];
  }
}

function namesIn(pattern: Node | null): readonly { readonly name: string; readonly start: number }[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      // What keeps the name of a property is named where that is declared.
      return pattern.properties.flatMap((property) =>
        property.type === "RestElement"
          ? namesIn(property.argument)
          : property.shorthand
            ? []
            : namesIn(property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "RestElement":
      return namesIn(pattern.argument);
    default:
      return [];
  }
}

/** The title of `test("…")`, `describe("…")`, `test.each(…)("…")`, or null. */
function titleOf(node: Node): string | null {
  if (node.type !== "CallExpression") return null;
  let callee: Node = node.callee;
  while (callee.type === "CallExpression" || callee.type === "MemberExpression") {
    callee = callee.type === "CallExpression" ? callee.callee : callee.object;
  }
  if (callee.type !== "Identifier" || !["test", "it", "describe"].includes(callee.name)) return null;
  const [title] = node.arguments;
  return title?.type === "Literal" && typeof title.value === "string" ? title.value : null;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
