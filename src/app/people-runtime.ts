import { demoUsers } from "../config/demo-credentials.ts";
import type { Configuration } from "../config/load-settings.ts";
import { prepareDemoPeople } from "../dashboard/people/demo-people.ts";
import { createPeople, type People } from "../dashboard/people/people.ts";
import type { PeopleStore } from "../dashboard/people/ports.ts";
import { createSecondFactors, type SecondFactors } from "../dashboard/people/second-factors.ts";
import { systemClock } from "../kernel/clock.ts";
import type { EncryptionKey } from "../kernel/encryption-keys.ts";
import type { Database } from "../store/database/database.ts";
import { createPeopleStore } from "../store/people.ts";
import { createSecondFactorStore } from "../store/second-factors.ts";
import type { Logger } from "../telemetry/logger.ts";
import { addUserAdvice, demoDataWarning } from "./finding.ts";
import type { Job } from "./jobs.ts";

const dayMs = 24 * 60 * 60_000;

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
  const hasDemoData = configuration.demo ? false : await checkDemoUsers(store, logger);
  const hasUsers = await store.hasUsers();
  if (!hasUsers) logger.warn({ advice: addUserAdvice }, "people.nobody_can_sign_in");
  await people.sweep();
  return { people, secondFactors, hasUsers, hasDemoData };
}

/** Disables the users of a demo, whose passwords everybody knows. Returns whether a demo has run on the database. */
async function checkDemoUsers(store: PeopleStore, logger: Logger): Promise<boolean> {
  const disabled = await store.disableDemoUsers(systemClock.now());
  if (disabled > 0) logger.warn({ disabled }, "people.demo_users_disabled");
  const hasDemoData = await store.hasDemoUsers();
  if (hasDemoData) logger.warn(demoDataWarning, "people.demo_data_found");
  return hasDemoData;
}

/** Deletes what has expired of people, once a day; `openPeople` has done so at the start. */
export function peopleSweepJob(people: Pick<People, "sweep">): Job {
  const rhythm = { everyMs: dayMs, firstAfterMs: dayMs, failureMessage: "people.sweep_failed" };
  return { name: "sweep of people", ...rhythm, work: people.sweep };
}
