import type { Command } from "commander";
import { AppError } from "../../kernel/app-error.ts";
import { hashSecret } from "../../kernel/secret-verifier.ts";
import { printLine, readStdin, type Terminal } from "../terminal.ts";

const secretBytesMax = 8 * 1024;

export function addHashSecretCommand(program: Command, terminal: Terminal): void {
  program
    .command("hash-secret")
    .description("read a secret from standard input and print a hash that a setting can hold instead")
    .action(async () => {
      const bytes = await readStdin(terminal, secretBytesMax);
      if (bytes === null) {
        throw new AppError("cli.secret_too_long", `The secret is longer than ${secretBytesMax} bytes.`);
      }
      // `echo` and editors add a line end that is not part of the secret.
      const secret = bytes.toString("utf8").replace(/\r?\n$/, "");
      if (secret === "") throw new AppError("cli.secret_missing", "Standard input is empty. Give it the secret.");
      printLine(terminal.stdout, await hashSecret(secret));
    });
}
