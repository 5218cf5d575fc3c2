// Writes src/store/database/tables.ts and src/store/schema.sql from the migrations: `npx tsx scripts/generate-schema.ts`.
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../src/store/database/migrator.ts";
import { describeSchema, describeTables } from "../src/store/database/schema-catalogue.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Migrates an empty database on a server of its own and describes it. Paths are relative to the project. */
export async function generateSchemaFiles(): Promise<{ path: string; content: string }[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "skedchange-generate-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  try {
    const { ownerUrl } = await prepareDatabase(server.adminUrl, "skedchange");
    await migrate({ ownerUrl });
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      return [
        { path: "src/store/database/tables.ts", content: format("tables.ts", await describeTables(client)) },
        { path: "src/store/schema.sql", content: await describeSchema(client) },
      ];
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function format(name: string, content: string): string {
  const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
  const formatted = spawnSync(process.execPath, [biome, "format", `--stdin-file-path=${name}`], {
    cwd: root,
    input: content,
    encoding: "utf8",
  });
  if (formatted.status !== 0) throw new Error(`biome could not format ${name}: ${formatted.stderr}`);
  return formatted.stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, content } of await generateSchemaFiles()) await writeFile(join(root, path), content);
}
