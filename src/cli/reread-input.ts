import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppError, codeOf } from "../kernel/app-error.ts";
import type { Terminal } from "./terminal.ts";

export interface RereadInput {
  /** Starts from the beginning each time. @throws AppError `cli.file_unreadable` */
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file, or standard input for `-`. Standard input and pipes are copied to an unnamed temporary file, which
 * vanishes however the command ends.
 * @throws AppError `cli.file_unreadable`, `cli.input_not_kept`
 */
export async function openInput(file: string, terminal: Pick<Terminal, "stdin">): Promise<RereadInput> {
  if (file === "-") return await saveToFile(terminal.stdin);
  const read = () => readable(file, () => createReadStream(file));
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => true,
  );
  return isFile ? { read, close: async () => {} } : await saveToFile(read());
}

async function* readable(file: string, chunks: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks();
  } catch (error) {
    throw new AppError("cli.file_unreadable", `The file ${file} cannot be read: ${codeOf(error)}.`, { cause: error });
  }
}

async function saveToFile(chunks: AsyncIterable<Uint8Array | string>): Promise<RereadInput> {
  let openFile: FileHandle | null = null;
  try {
    openFile = await openNameless();
    await writeFile(openFile, chunks);
  } catch (error) {
    await openFile?.close();
    if (error instanceof AppError) throw error;
    throw new AppError(
      "cli.input_not_kept",
      `The input cannot be kept in ${tmpdir()} while it is read: ${codeOf(error)}. Write it to a file and give that.`,
      { cause: error },
    );
  }
  const handle = openFile;
  return { read: () => handle.createReadStream({ start: 0, autoClose: false }), close: () => handle.close() };
}

async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "skedchange-input-"));
  try {
    return await open(join(folder, "input"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}
