import { AppError } from "../../kernel/app-error.ts";
import { storeErrors } from "./error-codes.ts";
import type { LastRelease, Migration, SchemaFiles } from "./schema-files.ts";

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly oldest_program: number | null;
}

/** Returns the pending migrations. Refuses a database whose history differs from ours, or that we cannot take over. */
export function selectPending(
  { migrations, lastRelease }: SchemaFiles,
  applied: readonly AppliedMigration[],
): Migration[] {
  if (applied.length === 0) return [...migrations];
  const [first, newest] = [migrations[0]!.version, migrations.at(-1)!.version];
  const tooNew = applied.find((row) => row.version > newest && (row.oldest_program ?? row.version) > newest);
  if (tooNew) {
    throw new AppError(
      storeErrors.schemaNewer,
      `The database is at migration ${applied.at(-1)?.name}. Since ${tooNew.name} only a Skedchange that has migration ` +
        `${tooNew.oldest_program ?? tooNew.version} or a later one runs on it, and this one has migrations up to ${newest}. ` +
        "Upgrade Skedchange; the schema is never taken back.",
    );
  }
  const known = applied.filter(({ version }) => version >= first && version <= newest);
  for (const [index, row] of known.entries()) {
    const file = migrations[index];
    if (file?.version !== row.version || file.checksum !== row.checksum) throw edited(row);
  }
  if (known.length === 0) assertComesFrom(lastRelease, applied.filter(({ version }) => version < first).at(-1));
  return migrations.slice(known.length);
}

function assertComesFrom(lastRelease: LastRelease, newest: AppliedMigration | undefined): void {
  const { release } = lastRelease;
  if (newest === undefined || newest.version < lastRelease.version) {
    throw new AppError(
      storeErrors.schemaTooOld,
      `The database is at migration ${newest?.name}, which is older than Skedchange ${release}. ` +
        `Upgrade it to ${release} first, then to this version.`,
    );
  }
  if (newest.version > lastRelease.version) {
    throw new AppError(
      storeErrors.schemaUnreleased,
      `The database is at migration ${newest.name}, which no release has: a version between releases made it. ` +
        `Go on with a copy from ${release}, or with a new database.`,
    );
  }
  if (newest.checksum !== lastRelease.checksum) throw edited(newest);
}

function edited(row: AppliedMigration): AppError {
  return new AppError(
    storeErrors.migrationEdited,
    `Migration ${row.name} was applied to this database and has been changed, removed, or preceded by a new one since. ` +
      "Restore its file and write the change as a new migration with the next number.",
  );
}
