import { AppError } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { hashPassword, isPasswordOf } from "./password.ts";
import type { PeopleStore, SecondFactorStore } from "./ports.ts";
import type { UserRole } from "./role.ts";

export interface DemoUser {
  readonly username: string;
  readonly displayName: string;
  readonly role: UserRole;
  readonly password: string;
}

/**
 * Creates the users of demo mode. Existing ones keep their sessions, and changes to them are reverted.
 *
 * @throws AppError `people.demo_name_taken` if a real user has one of the names
 */
export async function prepareDemoPeople(
  store: PeopleStore,
  secondFactors: Pick<SecondFactorStore, "removeFactor">,
  clock: Clock,
  users: readonly DemoUser[],
): Promise<void> {
  await Promise.all(
    users.map(async ({ username, displayName, role, password }) => {
      const at = clock.now();
      const stored = await store.findCredentials(username);
      if (stored === null) {
        await store.createUser(
          {
            id: newId(clock),
            username,
            displayName,
            role,
            sources: null,
            password: { hash: await hashPassword(password), proof: null },
            passwordChangeNeeded: false,
            isDemo: true,
            at,
          },
          1_000,
        );
        return;
      }
      if (!stored.isDemo || stored.passwordHash === null) {
        throw new AppError(
          "people.demo_name_taken",
          `The user '${username}' (${stored.user.id}) is a real person, and demo mode would give them a password that everybody knows. Run the demo on a database of its own.`,
        );
      }
      if (stored.user.hasSecondFactor) await secondFactors.removeFactor(stored.user.id, null);
      const isRight = await isPasswordOf(stored.passwordHash, password, "demo");
      const hash = isRight ? stored.passwordHash : await hashPassword(password);
      const isAsPrinted = isRight && !stored.user.passwordChangeNeeded;
      await store.changeUser(
        stored.user.id,
        {
          displayName,
          role,
          disabled: false,
          ...(isAsPrinted ? {} : { password: { hash, proof: null, changeNeeded: false } }),
        },
        at,
      );
    }),
  );
}
