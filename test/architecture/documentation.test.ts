import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = ["README.md", "CONTRIBUTING.md", ...findPages("docs")];

/** What a command writes, so that a clone does not have it. */
const outputs = ["bench/results"];

interface Link {
  /** Relative to the project. */
  readonly path: string;
  readonly anchor: string | null;
  readonly text: string;
}

describe("the documentation", () => {
  test("docs/README.md links every page of docs", () => {
    const linked = new Set(readLinks("docs/README.md").map(({ path }) => path));

    expect(findPages("docs").filter((page) => page !== "docs/README.md" && !linked.has(page))).toEqual([]);
  });

  test("the map of README.md has every folder of src", () => {
    const folders = readdirSync(join(root, "src")).filter((name) => !name.includes("."));

    expect(folders.filter((folder) => !readPage("README.md").includes(`\`${folder}\``))).toEqual([]);
  });

  test.each(pages)("the relative links of %s lead to files and headings that exist", (page) => {
    const broken = readLinks(page).filter(({ path, anchor }) => !leadsSomewhere(path, anchor));

    expect(broken.map(({ text }) => text)).toEqual([]);
  });

  test.each(pages)("the files of the project that %s names exist", (page) => {
    const named = readNamedFiles(withoutCode(readPage(page))).filter((path) => !outputs.includes(path));

    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test.each(pages)("the names that %s says are in a file of the project are there", (page) => {
    expect(findMissingNames(withoutCode(readPage(page)))).toEqual([]);
  });

  test("a name that its file does not have is found, also in a list, and by the name of the file alone", () => {
    const text = "`decide`, `noSuchRule` and `review` in `src/cases/decide.ts`, `noSuchPort` in\n`case-ports.ts`";

    expect(findMissingNames(text)).toEqual(["noSuchRule in src/cases/decide.ts", "noSuchPort in case-ports.ts"]);
  });
});

function findPages(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function readPage(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

/** Blocks of code have examples, not links. */
function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** Every `](target)` of a page, web addresses left out. */
function readLinks(page: string): readonly Link[] {
  const targets = [...withoutCode(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor = null] = target.split("#");
      return { path: path === "" ? page : relative(root, join(root, dirname(page), path)), anchor, text: target };
    });
}

function leadsSomewhere(path: string, anchor: string | null): boolean {
  if (!existsSync(join(root, path))) return false;
  return anchor === null || !path.endsWith(".md") || readAnchors(readPage(path)).has(anchor);
}

/** The anchors that GitHub gives the headings of a page. */
function readAnchors(text: string): ReadonlySet<string> {
  return new Set(
    [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Paths in backticks that begin with a folder of the project and have no placeholder. */
function readNamedFiles(text: string): readonly string[] {
  return [...text.matchAll(/`((?:src|test|scripts|bench|docs|samples|bin)\/[\w./-]+)`/g)].map(([, path]) => path!);
}

const programFiles = ["src", "test", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);

/** Of "`name` in `file`", also with several names: those that are not in the file, or in none of this name. */
function findMissingNames(text: string): readonly string[] {
  const mentions = [...text.matchAll(/((?:`\w+`(?:,| and|, and)?\s+)+)in\s+`([\w./-]+\.tsx?)`/g)];
  return mentions.flatMap(([, names = "", file = ""]) => {
    const texts = programFiles.filter((path) => path === file || path.endsWith(`/${file}`)).map(readPage);
    const named = [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    return named.filter((name) => !texts.some((each) => isNamed(name, each))).map((name) => `${name} in ${file}`);
  });
}

function isNamed(name: string, text: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}
