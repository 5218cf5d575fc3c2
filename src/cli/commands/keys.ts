import type { Command } from "commander";
import { systemClock } from "../../kernel/clock.ts";
import { makeEncryptionKey } from "../../kernel/encryption-keys.ts";
import { type Finish, printLine, type Terminal } from "../terminal.ts";

export function addKeysCommand(program: Command, terminal: Terminal, finish: Finish): void {
  const keys = program.command("keys").description("manage the keys that sign access tokens and encrypt stored data");
  keys
    .command("new")
    .description("print a new key for ENCRYPTION_KEYS. To replace a key, put the new one before it")
    .action(() => printLine(terminal.stdout, makeEncryptionKey(systemClock.now())));
  keys
    .command("rotate")
    .description(
      "create a new key to sign access tokens of POST /oauth/token. Tokens signed with the old key stay valid until they expire",
    )
    .action(async () => {
      const { rotateSigningKeys } = await import("../../app/rotate-keys.ts");
      const { kid, retired } = await rotateSigningKeys({ ...terminal.environment }, (line) =>
        printLine(terminal.stderr, line),
      );
      printLine(terminal.stdout, `Tokens are signed with ${kid} from now on.`);
      if (retired === null) return;
      printLine(terminal.stdout, `${retired.kid} stays published until ${retired.publishedUntil.toISOString()}.`);
    });
  keys
    .command("reencrypt")
    .description("encrypt the credentials of all recipients with the first key of ENCRYPTION_KEYS")
    .action(async () => {
      const { reencryptCredentials } = await import("../../app/reencrypt-credentials.ts");
      const { reencrypted, unreadableIds } = await reencryptCredentials(
        { ...terminal.environment },
        (line) => printLine(terminal.stderr, line),
        (count) => printLine(terminal.stderr, `${count} recipients`),
      );
      printLine(terminal.stdout, `Re-encrypted the credentials of ${reencrypted} recipients.`);
      if (unreadableIds.length === 0) return;
      printLine(terminal.stderr, `These cannot be decrypted and were not changed: ${unreadableIds.join(", ")}.`);
      printLine(terminal.stderr, "Add their key to ENCRYPTION_KEYS, or give these recipients new credentials.");
      finish(1);
    });
}
