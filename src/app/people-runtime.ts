import { demoUsers } from "../config/demo-credentials.ts";
import type { Configuration } from "../config/load-settings.ts";
import { prepareDemoPeople } from "../dashboard/people/demo-people.ts";
import { createPeople, type People } from "../dashboard/people/people.ts";
import { createSecondFactors, type SecondFactors } from "../dashboard/people/second-factors.ts";
import { systemClock } from "../kernel/clock.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import type { Database } from "../store/database/database.ts";
import { createPeopleStore } from "../store/people.ts";
import { createSecondFactorStore } from "../store/second-factors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { startJobs } from "./jobs.ts";
import type { Shutdown } from "./shutdown.ts";

const dayMs = 24 * 60 * 60_000;

export const addUserAdvice = "npx skedchange users add <name> --role admin";

export const demoDataWarning = {
  detail: "A demo has run on this database: its invented orders are among the cases.",
  advice: "Start with another DATA_DIR or DATABASE_URL.",
};

export interface PeopleRuntime {
  readonly people: People;
  readonly secondFactors: SecondFactors;
  readonly hasUsers: boolean;
  /** A demo has run on the database, and this process is none. */
  readonly hasDemoData: boolean;
}

export async function openPeople(parts: {
  readonly configuration: Configuration;
  readonly database: Database;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}): Promise<PeopleRuntime> {
  const { configuration, database, encryptionKeys, logger } = parts;
  const store = createPeopleStore(database, { admitDemoUsers: configuration.demo });
  const factorStore = createSecondFactorStore(database);
  const secondFactors = createSecondFactors({ store: factorStore, clock: systemClock, logger });
  const people = createPeople({
    store,
    secondFactors,
    clock: systemClock,
    logger,
    encryptionKeys,
    providerGivesSources: configuration.identityProvider?.sources != null,
  });
  if (configuration.demo) await prepareDemoPeople(store, factorStore, systemClock, demoUsers);
  else {
    const disabled = await store.disableDemoUsers(systemClock.now());
    if (disabled > 0) logger.warn({ disabled }, "people.demo_users_disabled");
  }
  const hasDemoData = !configuration.demo && (await store.hasDemoUsers());
  if (hasDemoData) logger.warn(demoDataWarning, "people.demo_data_found");
  const hasUsers = await store.hasUsers();
  if (!hasUsers) logger.warn({ advice: addUserAdvice }, "people.nobody_can_sign_in");

  await people.sweep();
  const rhythm = { everyMs: dayMs, firstAfterMs: dayMs, failureMessage: "people.sweep_failed" };
  startJobs([{ name: "sweep of people", ...rhythm, work: people.sweep }], parts);
  return { people, secondFactors, hasUsers, hasDemoData };
}
