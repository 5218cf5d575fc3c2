import type { Actor } from "../../kernel/actor.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { codeSubject } from "./attempt-subjects.ts";
import type { LockedOut } from "./check-password.ts";
import { factorUri, newFactorSecret, newRecoveryCodes, readFactorCode, stepOfCode } from "./factor-codes.ts";
import { judgeCode, secondsUntil } from "./lockout.ts";
import type { FactorUse, SecondFactorStore, User } from "./ports.ts";
import type { UserRole } from "./role.ts";

export type FactorOwner = Pick<User, "id" | "username">;

export type CodeRefusal = "wrong" | LockedOut;

/** A second factor of own accounts: codes of an authenticator app, and recovery codes in place of a lost one. */
export interface SecondFactors {
  /** Returns null if the user has a proven one already. */
  begin(owner: FactorOwner, place: string): Promise<{ readonly secret: string; readonly uri: string } | null>;
  /** Makes signing in take a code from here on. @returns the recovery codes, which are shown once */
  prove(userId: string, code: string, session: Buffer): Promise<readonly string[] | CodeRefusal>;
  renewRecoveryCodes(userId: string, code: string): Promise<readonly string[] | CodeRefusal>;
  remove(userId: string, code: string, by: Actor): Promise<"removed" | CodeRefusal>;
  /**
   * Removes the factor of a user who has lost the app and the recovery codes, and ends the user's sessions. Returns false
   * and changes nothing if the user has no factor.
   */
  removeOfUser(userId: string, by: Actor): Promise<boolean>;
  listRoles(): Promise<readonly UserRole[]>;
  setRoles(roles: readonly UserRole[], by: Actor): Promise<void>;
  /** Checks the code of a sign-in. Returns what signing in with it uses up. */
  checkSignIn(
    user: { readonly userId: string; readonly address: string },
    code: string,
  ): Promise<FactorUse | CodeRefusal>;
}

export function createSecondFactors(options: {
  readonly store: SecondFactorStore;
  readonly clock: Clock;
  readonly logger: Logger;
}): SecondFactors {
  const { store, clock, logger } = options;

  /**
   * Counts each code as wrong until `check` returns something else than null, so that simultaneous ones are all counted. A
   * user has one count, wherever a code is asked for.
   */
  async function checkCode<Right>(
    user: { readonly userId: string; readonly address?: string },
    check: () => Promise<Right | null>,
  ): Promise<Right | CodeRefusal> {
    const at = clock.now();
    const subject = codeSubject(user.userId);
    const verdict = await store.countCode(subject, (count) => judgeCode(count, at), at);
    if (verdict.outcome === "locked") {
      logger.warn(user, "people.codes_locked");
      return { outcome: "locked", retryAfterSeconds: secondsUntil(verdict.until, at) };
    }
    const right = await check();
    if (right === null) {
      logger.warn(user, "people.code_wrong");
      return "wrong";
    }
    await store.takeBackCode(subject, verdict.count);
    return right;
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
    checkSignIn: (user, code) => checkCode(user, () => readUse(user.userId, code)),

    async begin({ id, username }, place) {
      const secret = newFactorSecret();
      if (!(await store.beginFactor(id, secret, clock.now()))) return null;
      return { secret, uri: factorUri(secret, { username, place }) };
    },

    prove: (userId, text, session) =>
      checkCode({ userId }, async () => {
        const code = readFactorCode(text);
        const factor = await store.readFactor(userId);
        if (code?.kind !== "totp" || factor === null || factor.isProven) return null;
        const { secret, begunAt, lastStep } = factor;
        const at = clock.now();
        const step = stepOfCode(secret, code.digits, at, lastStep);
        const { codes, digests: recoveryCodes } = newRecoveryCodes();
        if (step === null || !(await store.proveFactor({ userId, begunAt, step, recoveryCodes, session, at })))
          return null;
        logger.info({ userId }, "people.second_factor_added");
        return codes;
      }),

    renewRecoveryCodes: (userId, code) =>
      checkCode({ userId }, async () => {
        const use = await readUse(userId, code);
        const { codes, digests } = newRecoveryCodes();
        if (use === null || !(await store.replaceRecoveryCodes(userId, use, digests))) return null;
        logger.info({ userId }, "people.recovery_codes_renewed");
        return codes;
      }),

    remove: (userId, code, by) =>
      checkCode({ userId }, async () => {
        const use = await readUse(userId, code);
        if (use === null || !(await store.removeFactor(userId, use, by))) return null;
        logger.info({ userId }, "people.second_factor_removed");
        return "removed";
      }),

    async removeOfUser(userId, by) {
      if (!(await store.removeFactor(userId, null, by))) return false;
      logger.warn({ userId, by: by.actor }, "people.second_factor_removed");
      return true;
    },

    listRoles: () => store.listFactorRoles(),

    async setRoles(roles, by) {
      await store.setFactorRoles(roles, clock.now(), by);
      logger.info({ roles, by: by.actor }, "people.second_factor_roles_changed");
    },
  };
}
