import type { Actor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import { createMinuteLimit } from "../../kernel/minute-limit.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { LockedOut } from "./check-password.ts";
import { factorUri, newFactorSecret, newRecoveryCodes, readFactorCode, stepOfCode } from "./factor-codes.ts";
import type { FactorUse, SecondFactorStore, User } from "./ports.ts";
import type { UserRole } from "./role.ts";

export type FactorOwner = Pick<User, "id" | "username">;

export type CodeRefusal = "wrong" | LockedOut;

/** A second factor of own accounts: codes of an authenticator app, and recovery codes in place of a lost one. */
export interface SecondFactors {
  /** Null if the user has one already. */
  begin(owner: FactorOwner, place: string): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /** From here on signing in takes a code. @returns the recovery codes, which are shown once */
  prove(userId: string, code: string, session: Buffer): Promise<readonly string[] | CodeRefusal>;
  renewRecoveryCodes(userId: string, code: string): Promise<readonly string[] | CodeRefusal>;
  remove(userId: string, code: string, by: Actor): Promise<"removed" | CodeRefusal>;
  /** Of somebody who has lost the app and the recovery codes. False if they have none. */
  reset(userId: string, by: Actor): Promise<boolean>;
  listRoles(): Promise<readonly UserRole[]>;
  setRoles(roles: readonly UserRole[], by: Actor): Promise<void>;
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

  function refuse(userId: string): "wrong" {
    logger.warn({ userId }, "people.code_wrong");
    return "wrong";
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

    async prove(userId, text, session) {
      const locked = countCode(userId);
      if (locked !== null) return locked;
      const code = readFactorCode(text);
      const factor = await store.readFactor(userId);
      if (code?.kind !== "totp" || factor === null || factor.isProven) return refuse(userId);
      const at = clock.now();
      const step = stepOfCode(factor.secret, code.digits, at, factor.lastStep);
      const { codes, digests: recoveryCodes } = newRecoveryCodes();
      const { begunAt } = factor;
      if (step === null || !(await store.proveFactor({ userId, begunAt, step, recoveryCodes, session, at }))) {
        return refuse(userId);
      }
      logger.info({ userId }, "people.second_factor_added");
      return codes;
    },

    async renewRecoveryCodes(userId, code) {
      const locked = countCode(userId);
      if (locked !== null) return locked;
      const use = await readUse(userId, code);
      const { codes, digests } = newRecoveryCodes();
      if (use === null || !(await store.replaceRecoveryCodes(userId, use, digests))) return refuse(userId);
      logger.info({ userId }, "people.recovery_codes_renewed");
      return codes;
    },

    async remove(userId, code, by) {
      const locked = countCode(userId);
      if (locked !== null) return locked;
      const use = await readUse(userId, code);
      if (use === null || !(await store.removeFactor(userId, use, by))) return refuse(userId);
      logger.info({ userId }, "people.second_factor_removed");
      return "removed";
    },

    async reset(userId, by) {
      if (!(await store.removeFactor(userId, null, by))) return false;
      logger.warn({ userId, by: by.actor }, "people.second_factor_reset");
      return true;
    },

    listRoles: () => store.listFactorRoles(),

    async setRoles(roles, by) {
      await store.setFactorRoles(roles, clock.now(), by);
      logger.info({ roles, by: by.actor }, "people.second_factor_roles_changed");
    },
  };
}
