import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** The SQL of a version of the program. */
export interface SchemaFiles {
  /** Makes the tables of a new database: the files of `schema`, in the order of their names. */
  readonly schema: string;
  /** Bring databases that exist to what `schema` makes. At least one. */
  readonly migrations: readonly Migration[];
  readonly lastRelease: LastRelease;
}

export interface Migration {
  readonly version: number;
  /** Without the extension: `000080_since_0_3_0`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 (hex). */
  readonly checksum: string;
  /** The oldest program that runs on the schema after it, by the newest migration which that program has. */
  readonly oldestProgram: number;
}

/** The version whose databases the first migration takes over, with its newest migration. */
export interface LastRelease {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  /** As in `0.3.0`. */
  readonly release: string;
}

/** @param folder holds `schema` and `migrations`. */
export async function readSchemaFiles(folder: URL): Promise<SchemaFiles> {
  const schema = await readSqlFiles(new URL("schema/", folder));
  const migrations = (await readSqlFiles(new URL("migrations/", folder))).map(toMigration);
  const twice = migrations.find((migration, index) => migration.version === migrations[index + 1]?.version);
  if (twice) throw new Error(`Two migrations have the number ${twice.version}: give one of them the next free number.`);
  const first = migrations[0];
  if (first === undefined) throw new Error(`${folder.href} has no migrations.`);
  return { schema: schema.map(({ text }) => text).join("\n"), migrations, lastRelease: readLastRelease(first) };
}

interface SqlFile {
  readonly file: string;
  readonly text: string;
}

async function readSqlFiles(folder: URL): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  return await Promise.all(
    names.map(async (file) => {
      // A checkout with CRLF line ends is the same file.
      return { file, text: (await readFile(new URL(file, folder), "utf8")).replaceAll("\r\n", "\n") };
    }),
  );
}

function toMigration({ file, text }: SqlFile): Migration {
  const version = Number(/^(\d{6})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
  if (Number.isNaN(version)) throw new Error(`The migration ${file} is not named like 000080_since_0_3_0.sql.`);
  const oldestProgram = /^-- Oldest program: (\d{6})\n/.exec(text)?.[1];
  if (oldestProgram === undefined) {
    throw new Error(`${file} must begin with a line like \`-- Oldest program: 000080\`: CONTRIBUTING.md says which.`);
  }
  if (Number(oldestProgram) > version) {
    throw new Error(`${file} names migration ${oldestProgram} as its oldest program, which comes after itself.`);
  }
  return {
    version,
    name: file.slice(0, -".sql".length),
    text,
    checksum: createHash("sha256").update(text).digest("hex"),
    oldestProgram: Number(oldestProgram),
  };
}

function readLastRelease({ name, text }: Migration): LastRelease {
  const stated = /^-- Comes after: ((\d{6})_[a-z0-9_]+) of (\S+), ([0-9a-f]{64})\n/m.exec(text);
  if (stated === null) {
    throw new Error(
      `${name} is the first migration, and must say with a line like ` +
        "`-- Comes after: 000055_given_views of 0.3.0, <its SHA-256>` which release it takes over from.",
    );
  }
  const [, last, version, release, checksum] = stated;
  return { version: Number(version), name: last!, checksum: checksum!, release: release! };
}
