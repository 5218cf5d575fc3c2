import type { Command } from "commander";
import { printLine, type Terminal } from "../terminal.ts";

/** `skedchange keys`: the keys with which the built-in token endpoint signs its access tokens. */
export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command("keys").description("the keys that sign the access tokens of POST /oauth/token");
  keys
    .command("rotate")
    .description("make a new signing key; tokens that were signed with the old one stay valid until they expire")
    .action(async () => {
      const { rotateSigningKeys } = await import("../../app/rotate-keys.ts");
      const { kid, retired } = await rotateSigningKeys({ ...terminal.environment }, (line) =>
        printLine(terminal.stderr, line),
      );
      printLine(terminal.stdout, `Tokens are signed with ${kid} from now on.`);
      if (retired === null) return;
      printLine(terminal.stdout, `${retired.kid} stays published until ${retired.publishedUntil.toISOString()}.`);
    });
}
