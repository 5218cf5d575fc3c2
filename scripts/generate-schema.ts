// Writes src/store/schema.sql from the migrations: `npx tsx scripts/generate-schema.ts`.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { migrate } from "../src/store/database/migrator.ts";
import { prepareDatabase } from "../src/store/embedded-postgres/own-database.ts";
import { startEmbeddedPostgres } from "../src/store/embedded-postgres/server.ts";
import { describeSchema } from "./describe-schema.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Migrates an empty database on a server of its own and describes it. The path is relative to the project. */
export async function generateSchemaFile(): Promise<{ path: string; content: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), "skedchange-generate-"));
  await chmod(dataDir, 0o755);
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  try {
    const { ownerUrl } = await prepareDatabase(server.adminUrl, "skedchange");
    await migrate({ ownerUrl });
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      return { path: "src/store/schema.sql", content: await describeSchema(client) };
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, content } = await generateSchemaFile();
  await writeFile(join(root, path), content);
}
