import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AppError, messageOf } from "../../kernel/app-error.ts";
import { storeErrors } from "../database/error-codes.ts";
import { isAlive } from "./postmaster.ts";

export interface OwnerLock {
  /**
   * Call it before the server is shut down. From then on, losing the lock is expected.
   * @returns false if another process has taken the lock: the server is that one's to shut down
   */
  prepareShutdown(): Promise<boolean>;
  release(): Promise<void>;
}

interface OwnerLockOptions {
  readonly dataDir: string;
  readonly logger: (line: string) => void;
  /** Called once for each process that has taken the lock after this one lost it. */
  readonly onTakenOver: (error: AppError) => void;
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
  { dataDir, logger, onTakenOver }: OwnerLockOptions,
): Promise<OwnerLock> {
  const first = await connectAndLock(adminUrl, onLost);
  if (first.client === null) throw inUse(dataDir, first.holder);
  let client: pg.Client | null = first.client;
  /** As far as is known: a server that does not respond says nothing new. */
  let hasAnotherOwner = false;
  let takingAgain = Promise.resolve();
  const ending = new AbortController();
  const reported = new Set<string>();

  // If one backend crashes, PostgreSQL ends all sessions, so the lock must be taken again.
  function onLost(): void {
    client = null;
    if (ending.signal.aborted) return;
    logger("lost the connection that marks the data as in use; taking it again");
    reported.clear();
    takingAgain = takeAgain();
  }

  /** Also while another process has the lock, so that the data is marked again if that one is killed. */
  async function takeAgain(): Promise<void> {
    for (let waitMs = tryAgainMs; client === null; waitMs = Math.min(waitMs * 2, tryAgainMsMax)) {
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      await tryAgain();
    }
  }

  async function tryAgain(): Promise<void> {
    try {
      const attempt = await connectAndLock(adminUrl, onLost);
      client = attempt.client;
      hasAnotherOwner = attempt.client === null;
      if (attempt.client !== null) return logger("the data is marked as in use again");
      const error = takenOver(dataDir, attempt.holder);
      reportOnce(error.message, () => onTakenOver(error));
    } catch (error) {
      const problem = `the data cannot be marked as in use: ${messageOf(error)}`;
      reportOnce(problem, () => logger(problem));
    }
  }

  function reportOnce(text: string, report: () => void): void {
    if (reported.has(text)) return;
    reported.add(text);
    report();
  }

  return {
    async prepareShutdown() {
      ending.abort();
      await takingAgain;
      if (client === null) await tryAgain();
      return !hasAnotherOwner;
    },
    async release() {
      ending.abort();
      await client?.end().catch(() => {});
    },
  };
}

type LockAttempt = { readonly client: pg.Client } | { readonly client: null; readonly holder: number | null };

async function connectAndLock(adminUrl: string, onLost: () => void): Promise<LockAttempt> {
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
      locked = rows[0]?.taken === true;
      if (locked) return { client };
      const holder = await readHolder(client);
      const holderIsGone = holder === null || !(await isAlive(holder));
      if (!holderIsGone || attempt >= deadHolderAttempts) {
        await client.end();
        return { client: null, holder };
      }
      await sleep(tryAgainMs);
    }
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
  return new AppError(
    storeErrors.dataInUse,
    `The data in ${dataDir} is in use by ${nameOf(holder)}. Stop that Skedchange first, or set DATA_DIR to another folder to run a second one` +
      " (and PORT and GATEWAY_PORT to free ports).",
  );
}

function takenOver(dataDir: string, holder: number | null): AppError {
  return new AppError(
    storeErrors.dataTakenOver,
    `PostgreSQL ended all sessions, and before this process could mark the data in ${dataDir} again, ${nameOf(holder)} did. ` +
      "Both use it now. Stop this process: it leaves PostgreSQL to the other one, which ends it when it stops.",
  );
}

function nameOf(holder: number | null): string {
  return holder === null ? "another process" : `process ${holder}`;
}
