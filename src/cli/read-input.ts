import { readFile } from "node:fs/promises";
import { AppError, codeOf } from "../kernel/app-error.ts";
import { readStdin, type Terminal } from "./terminal.ts";

/** Far more than a receiver accepts; stops a wrong file from filling the memory. */
const inputBytesMax = 64 * 1024 * 1024;

/**
 * Reads a file, or standard input for `-`.
 * @throws AppError `cli.file_unreadable`, `cli.input_too_long`
 */
export async function readInput(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === "-") {
    const bytes = await readStdin(terminal, inputBytesMax);
    if (bytes === null) throw new AppError("cli.input_too_long", "Standard input holds more than 64 MiB.");
    return bytes;
  }
  try {
    return await readFile(file);
  } catch (error) {
    throw new AppError("cli.file_unreadable", `The file ${file} cannot be read: ${codeOf(error)}.`, { cause: error });
  }
}
