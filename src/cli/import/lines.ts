import { AppError } from "../../kernel/app-error.ts";

export interface NumberedLine {
  /** From 1. */
  readonly line: number;
  /** Without its line end. */
  readonly text: string;
}

/** Far longer than any order; stops a file without line ends from filling the memory. */
const lineLengthMax = 64 * 1024 * 1024;

/**
 * Reads UTF-8, without a byte order mark.
 * @throws AppError `import.not_utf8`, `import.line_too_long`
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let rest = "";
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new AppError("import.not_utf8", `The file is not UTF-8 (line ${line} or after). Save it as UTF-8.`, {
        cause: error,
      });
    }
  };
  for await (const chunk of chunks) {
    const parts = (rest + decode(chunk)).split("\n");
    rest = parts.pop()!;
    for (const text of parts) {
      yield { line, text: withoutReturn(text) };
      line += 1;
    }
    if (rest.length > lineLengthMax) throw new AppError("import.line_too_long", `Line ${line} is longer than 64 MiB.`);
  }
  rest += decode();
  if (rest !== "") yield { line, text: withoutReturn(rest) };
}

function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}
