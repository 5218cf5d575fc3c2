import type { Settings } from "../config/settings.ts";
import { AppError, messageOf } from "../kernel/app-error.ts";
import { type Database, openDatabase } from "../store/database/database.ts";
import { isLackingRight } from "../store/database/sql-states.ts";
import {
  isSamePeriods,
  type RetentionPeriods,
  readRetentionPeriods,
  storeRetentionPeriods,
} from "../store/retention/retention-periods.ts";
import type { Logger } from "../telemetry/logger.ts";
import { explainUnusable, type Storage } from "./storage.ts";

export type RetentionSettings = Pick<Settings, "RETENTION_BODIES_DAYS" | "RETENTION_CASES_DAYS">;

export function periodsOf(settings: RetentionSettings): RetentionPeriods {
  return { bodiesDays: settings.RETENTION_BODIES_DAYS, casesDays: settings.RETENTION_CASES_DAYS };
}

/** What is kept for ever by one of the two is kept for ever. */
export function longerPeriods(one: RetentionPeriods, other: RetentionPeriods): RetentionPeriods {
  const longer = (days: number, otherDays: number): number =>
    days === 0 || otherDays === 0 ? 0 : Math.max(days, otherDays);
  return {
    bodiesDays: longer(one.bodiesDays, other.bodiesDays),
    casesDays: longer(one.casesDays, other.casesDays),
  };
}

/**
 * Stores the periods of the settings in the database, unless they are there.
 * @returns whether others were there
 * @throws AppError `app.owner_needed`, `app.database_unusable`
 */
export async function storePeriods(
  { serviceUrl, ownerUrl }: Pick<Storage, "serviceUrl" | "ownerUrl">,
  settings: RetentionSettings,
): Promise<boolean> {
  const owner = openDatabase({
    url: ownerUrl,
    applicationName: "skedchange migrate",
    maxConnections: 1,
    onError: () => {},
  });
  const setting = ownerUrl === serviceUrl ? "DATABASE_URL" : "DATABASE_OWNER_URL";
  const wanted = periodsOf(settings);
  try {
    if (isSamePeriods(await readRetentionPeriods(owner), wanted)) return false;
    await storeRetentionPeriods(owner, wanted);
    return true;
  } catch (error) {
    if (!isLackingRight(error)) throw explainUnusable(error, ownerUrl, setting);
    throw new AppError(
      "app.owner_needed",
      "Only the role that owns the database may store RETENTION_BODIES_DAYS and RETENTION_CASES_DAYS there, and the one of " +
        `${setting} does not. Run \`skedchange migrate\` with that role in DATABASE_OWNER_URL.`,
      { cause: error },
    );
  } finally {
    await owner.close();
  }
}

/** What an operator should know when the settings differ from what is stored. */
export interface PeriodsWarning {
  readonly detail: string;
  readonly advice: string;
}

/** Returns null if the database has the periods of the settings. */
export async function comparePeriods(
  database: Pick<Database, "connection">,
  settings: RetentionSettings,
): Promise<PeriodsWarning | null> {
  const stored = await readRetentionPeriods(database);
  const wanted = periodsOf(settings);
  if (isSamePeriods(stored, wanted)) return null;
  return {
    detail: `The settings keep ${describePeriods(wanted)}, the database ${describePeriods(stored)}. Each goes after the longer of the two.`,
    advice:
      "Run `skedchange migrate` with DATABASE_OWNER_URL and these RETENTION_BODIES_DAYS and RETENTION_CASES_DAYS, or set them to what the database has.",
  };
}

export function describePeriods({ bodiesDays, casesDays }: RetentionPeriods): string {
  return `bodies ${inWords(bodiesDays)} and cases ${inWords(casesDays)}`;
}

function inWords(days: number): string {
  return days === 0 ? "for ever" : days === 1 ? "for 1 day" : `for ${days} days`;
}

/**
 * For the start of a worker, which deletes by the settings: stores their periods if it has the owner's rights, as where one
 * role does everything; else logs a warning when they differ from those that are stored.
 */
export async function alignPeriods(parts: {
  readonly storage: Pick<Storage, "serviceUrl" | "ownerUrl">;
  readonly database: Pick<Database, "connection">;
  readonly settings: RetentionSettings;
  readonly logger: Logger;
}): Promise<void> {
  const { storage, database, settings, logger } = parts;
  const difference = await comparePeriods(database, settings);
  if (difference === null) return;
  try {
    await storePeriods(storage, settings);
    logger.info(periodsOf(settings), "retention.periods_stored");
  } catch (error) {
    logger.warn({ ...difference, reason: messageOf(error) }, "retention.periods_differ");
  }
}
