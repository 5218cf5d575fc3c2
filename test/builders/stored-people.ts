import { createPeople, type People } from "../../src/dashboard/people/people.ts";
import type { PeopleStore, SecondFactorStore } from "../../src/dashboard/people/ports.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";

export const nobodyIsStored: PeopleStore = {
  createUser: async () => "too-many-users",
  listUsers: async () => [],
  readUser: async () => null,
  hasUsers: async () => false,
  hasDemoUsers: async () => false,
  changeUser: async () => null,
  disableDemoUsers: async () => 0,
  findCredentials: async () => null,
  readAttempt: async () => ({
    stored: null,
    counts: { device: null, username: null, address: null },
    deviceSucceededAt: null,
  }),
  takeBackAttempt: async () => {},
  countAttempt: async (_subjects, judge) => judge({ device: null, username: null, address: null }, null),
  startSession: async () => null,
  startProviderSession: async () => ({ outcome: "too-many-users" }),
  refuseIdentity: async () => null,
  useSession: async () => null,
  endSession: async () => {},
  listSessions: async () => [],
  endSessions: async () => 0,
  changeOwnPassword: async () => false,
  createToken: async () => null,
  listTokens: async () => [],
  useToken: async () => null,
  revokeToken: async () => false,
  sweep: async () => 0,
};

export const noFactorIsStored: SecondFactorStore = {
  readFactor: async () => null,
  beginFactor: async () => false,
  proveFactor: async () => false,
  countCode: async () => ({ outcome: "locked", until: new Date() }),
  takeBackCode: async () => {},
  replaceRecoveryCodes: async () => false,
  removeFactor: async () => false,
  listFactorRoles: async () => [],
  setFactorRoles: async () => {},
};

/** People for tests that need none: nobody can sign in, and there are no tokens but API_TOKEN. */
export function nobody(): People {
  return createPeople({
    store: nobodyIsStored,
    clock: { now: () => new Date("2026-11-21T09:00:00Z") },
    logger: silentLogger,
  });
}
