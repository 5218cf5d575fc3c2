import pg from "pg";
import { createPostgresQueueBackend } from "../../../src/queue/postgres-backend.ts";
import { createTestDatabase } from "../../harness/database.ts";
import { describeQueueBackend } from "./queue-backend-suite.ts";

describeQueueBackend("PostgreSQL", async () => {
  const database = await createTestDatabase();
  return {
    openBackend: (options) =>
      createPostgresQueueBackend({ url: database.serviceUrl, applicationName: "queue conformance", ...options }),
    worker: { kind: "postgresql", url: database.serviceUrl },
    async wipe() {
      const client = new pg.Client(database.ownerUrl);
      await client.connect();
      await client.query("delete from bullmq.job");
      await client.query("delete from bullmq.dedup");
      await client.query("delete from bullmq.dedup_next");
      await client.end();
    },
    close: () => database.drop(),
  };
});
