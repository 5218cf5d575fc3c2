import type { Actor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createMinuteLimit } from "../../kernel/minute-limit.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { LockedOut } from "./check-password.ts";
import type { FactorUse, SecondFactorStore, User } from "./ports.ts";
import type { UserRole } from "./role.ts";
import { factorUri, newFactorSecret, newRecoveryCodes, readFactorCode, stepOfCode } from "./second-factor.ts";

export type FactorOwner = Pick<User, "id" | "username">;

export type CodeRefusal = "wrong" | LockedOut;

/** A second factor of own accounts: codes of an authenticator app, and recovery codes in place of a lost one. */
export interface SecondFactors {
  /** Null if the user has one already. */
  begin(owner: FactorOwner, place: string): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /** From here on signing in takes a code. @returns the recovery codes, which are shown once */
  prove(owner: FactorOwner, code: string, session: Buffer): Promise<readonly string[] | CodeRefusal>;
  renewRecoveryCodes(owner: FactorOwner, code: string): Promise<readonly string[] | CodeRefusal>;
  remove(owner: FactorOwner, code: string, by?: Actor): Promise<"removed" | CodeRefusal>;
  /** Of somebody who has lost the app and the recovery codes. False if they have none. */
  reset(userId: string, by?: Actor): Promise<boolean>;
  listRoles(): Promise<readonly UserRole[]>;
  setRoles(roles: readonly UserRole[], by?: Actor): Promise<void>;
  /** What a code would use up; null if it is wrong. */
  readUse(userId: string, code: string): Promise<FactorUse | null>;
}

/** Codes of who is signed in. Sign-ins are counted with their passwords. */
const codesPerMinute = 5;

export function createSecondFactors(options: {
  readonly store: SecondFactorStore;
  readonly clock: Clock;
  readonly logger: Logger;
}): SecondFactors {
  const { store, clock, logger } = options;
  const codesOfUsers = createMinuteLimit(codesPerMinute, clock);

  function countCode(userId: string): LockedOut | null {
    const retryAfterSeconds = codesOfUsers.count(userId);
    return retryAfterSeconds === null ? null : { outcome: "locked", retryAfterSeconds };
  }

  async function readUse(userId: string, text: string): Promise<FactorUse | null> {
    const code = readFactorCode(text);
    const factor = await store.readFactor(userId);
    if (code === null || factor === null || !factor.isProven) return null;
    if (code.kind === "recovery") return code;
    const step = stepOfCode(factor.secret, code.digits, clock.now(), factor.lastStep);
    return step === null ? null : { kind: "totp", step };
  }

  return {
    readUse,

    async begin({ id, username }, place) {
      const secret = newFactorSecret();
      if (!(await store.beginFactor(id, secret, clock.now()))) return null;
      return { secret, uri: factorUri(secret, { username, place }) };
    },

    async prove({ id }, text, session) {
      const locked = countCode(id);
      if (locked !== null) return locked;
      const code = readFactorCode(text);
      const factor = await store.readFactor(id);
      if (code?.kind !== "totp" || factor === null || factor.isProven) return "wrong";
      const at = clock.now();
      const step = stepOfCode(factor.secret, code.digits, at, factor.lastStep);
      const { codes, digests: recoveryCodes } = newRecoveryCodes();
      if (step === null || !(await store.proveFactor({ userId: id, step, recoveryCodes, session, at }))) return "wrong";
      logger.info({ userId: id }, "people.second_factor_added");
      return codes;
    },

    async renewRecoveryCodes({ id }, code) {
      const locked = countCode(id);
      if (locked !== null) return locked;
      const use = await readUse(id, code);
      const { codes, digests } = newRecoveryCodes();
      if (use === null || !(await store.replaceRecoveryCodes(id, use, digests))) return "wrong";
      logger.info({ userId: id }, "people.recovery_codes_renewed");
      return codes;
    },

    async remove({ id }, code, by) {
      const locked = countCode(id);
      if (locked !== null) return locked;
      const use = await readUse(id, code);
      if (use === null || !(await store.removeFactor(id, use, by))) return "wrong";
      logger.info({ userId: id }, "people.second_factor_removed");
      return "removed";
    },

    async reset(userId, by) {
      if (!(await store.removeFactor(userId, null, by))) return false;
      logger.warn({ userId, by: by?.actor ?? null }, "people.second_factor_reset");
      return true;
    },

    listRoles: () => store.listFactorRoles(),

    async setRoles(roles, by) {
      await store.setFactorRoles(roles, clock.now(), by);
      logger.info({ roles, by: by?.actor ?? null }, "people.second_factor_roles_changed");
    },
  };
}
