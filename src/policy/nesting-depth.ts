import type { TextPosition } from "./text-position.ts";

/**
 * Returns where a text nests deeper than `depthMax`, or null. Counts characters before the YAML parser runs, because the
 * parser recurses per level and a stack overflow can end the process. Brackets in strings and comments count.
 */
export function findTooDeep(text: string, depthMax: number): TextPosition | null {
  const manyIndicators = rowOfIndicators(depthMax);
  let levels: readonly number[] = [];
  let brackets = 0;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const row = index + 1;
    const inARow = line.search(manyIndicators);
    if (inARow >= 0) return { line: row, column: inARow + 1 };
    const begun = levelsBegunBy(line);
    if (begun.length > 0) levels = [...levels.filter((column) => column < begun[0]!), ...begun];
    if (levels.length > depthMax) return { line: row, column: levels.at(-1)! + 1 };
    for (const { 0: bracket, index: column } of line.matchAll(/[[\]{}]/g)) {
      brackets = Math.max(0, brackets + (bracket === "[" || bracket === "{" ? 1 : -1));
      if (levels.length + brackets > depthMax) return { line: row, column: column + 1 };
    }
  }
  return null;
}

/** The columns of what a line begins with: `- - name` begins three levels. Empty for a blank line. */
function levelsBegunBy(line: string): readonly number[] {
  const columns: number[] = [];
  let column = line.search(/\S/);
  while (column >= 0 && column < line.length) {
    columns.push(column);
    const indicator = /^[-?:][ \t]+/.exec(line.slice(column, column + indentMax));
    if (indicator === null) break;
    column += indicator[0].length;
  }
  return columns;
}

/** Between two indicators. Further ones do not count, and bound the work. */
const indentMax = 100;

/** Finds so many indicators in a row: of sequences, keys, values, tags and anchors, which the parser nests. */
function rowOfIndicators(count: number): RegExp {
  return new RegExp(`(?<!\\S)(?:(?:[-?:]|[!&][^\\s,[\\]{}]*)[ \\t]+){${count}}`);
}
