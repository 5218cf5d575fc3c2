import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AppError } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";
import { isAlive } from "./postmaster.ts";

export interface OwnerLock {
  /** Call it before the server is shut down. */
  expectShutdown(): void;
  release(): Promise<void>;
}

/** Any number not locked elsewhere in our server's `postgres` database: "sked" in ASCII. */
const lockKey = 0x73_6b_65_64;

/** Limits the wait for a dead holder; the server drops its connection almost at once. */
const deadHolderAttempts = 40;
const tryAgainMs = 50;
const tryAgainMsMax = 1_000;

/**
 * The lock ends with its connection and so with this process. A lock file might be left by a killed process.
 * @throws `store.data_in_use` if another live process has it
 */
export async function takeOwnerLock(
  adminUrl: string,
  options: { dataDir: string; logger: (line: string) => void },
): Promise<OwnerLock> {
  let ended = false;
  let client = await connectAndLock(adminUrl, options.dataDir, onLost);

  // If one backend crashes, PostgreSQL ends all sessions, so the lock must be taken again.
  function onLost(): void {
    if (ended) return;
    options.logger("lost the connection that marks the data as in use; taking it again");
    void (async () => {
      for (let waitMs = tryAgainMs; !ended; waitMs = Math.min(waitMs * 2, tryAgainMsMax)) {
        await sleep(waitMs);
        try {
          const again = await connectAndLock(adminUrl, options.dataDir, onLost);
          if (ended) await again.end();
          else client = again;
          return;
        } catch (error) {
          if (error instanceof AppError) {
            options.logger(error.message);
            return;
          }
        }
      }
    })();
  }

  return {
    expectShutdown() {
      ended = true;
    },
    async release() {
      ended = true;
      await client.end().catch(() => {});
    },
  };
}

async function connectAndLock(adminUrl: string, dataDir: string, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: adminUrl,
    application_name: `skedchange owner, process ${process.pid}`,
  });
  let locked = false;
  // 'error' comes when the server ends the session; 'end' always follows.
  client.on("error", () => {});
  client.on("end", () => {
    if (locked) onLost();
  });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt++) {
      const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [lockKey]);
      if (rows[0]?.taken) break;
      const holder = await readHolder(client);
      const holderIsGone = holder === null || !(await isAlive(holder));
      if (!holderIsGone || attempt >= deadHolderAttempts) throw inUse(dataDir, holder);
      await sleep(tryAgainMs);
    }
    locked = true;
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Returns the process that has the lock, as it reported itself; null if it has just ended. */
async function readHolder(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name
       from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1
        and l.database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  );
  const pid = Number(/process (\d+)$/.exec(rows[0]?.application_name ?? "")?.[1]);
  return Number.isNaN(pid) ? null : pid;
}

function inUse(dataDir: string, holder: number | null): AppError {
  const who = holder === null ? "another process" : `process ${holder}`;
  return new AppError(
    storeErrors.dataInUse,
    `The data in ${dataDir} is in use by ${who}. Stop that Skedchange first, or set DATA_DIR to another folder to run a second one` +
      " (and PORT and GATEWAY_PORT to free ports).",
  );
}
