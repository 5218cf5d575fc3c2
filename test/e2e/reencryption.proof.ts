import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../src/kernel/encryption-keys.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createEncryption } from "../../src/store/database/encryption.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type RunningCommand, runCommand } from "../harness/run-command.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";

// Processes start in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const apiToken = "a-good-token-of-the-api-0123456789";
const password = "a password of the gateway";
const [older, newer] = [createEncryptionKey(new Date("2026-01-01")), createEncryptionKey(new Date("2026-06-01"))];
const polledOrders = 5_000;

let db: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startServer(older);
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await db?.drop();
});

test("a re-encryption that is killed goes on when it is started again, while notifications come in", async () => {
  const firstId = await push("BEFORE");
  await insertPolledStatuses();
  await server.end("SIGTERM");
  server = await startServer(`${newer} ${older}`);

  let pushes = 0;
  let isOver = false;
  const pushing = (async () => {
    while (!isOver) await push(`DURING${(pushes += 1)}`);
  })();
  const killed = reencrypt((output) => {
    if (output.includes("order_status_views")) killed.kill();
  });
  expect(await killed.ended).toBeNull();
  const midway = await reportKeys();
  const again = reencrypt();
  expect([await again.ended, again.output()]).toEqual([0, expect.stringContaining("rows anew.")]);
  isOver = true;
  await pushing;

  expect(usesOf(midway, "skedchange.order_status_views.body")).toHaveLength(2);
  const after = await reportKeys();
  expect(new Set(after.uses.map(({ keyId }) => keyId))).toEqual(new Set([idOf(newer)]));
  expect(usesOf(after, "skedchange.order_status_views.body")).toMatchObject([{ rows: polledOrders, unbound: 0 }]);
  expect(pushes).toBeGreaterThan(0);

  await server.end("SIGTERM");
  server = await startServer(newer);
  const body = await fetch(`${server.agencyUrl}/api/v1/notifications/${firstId}/body`, {
    headers: { Authorization: `Bearer ${apiToken}` },
  });
  expect([body.status, (await body.text()).includes("BEFORE")]).toEqual([200, true]);
  expect(await reencrypt().ended).toBe(0);
});

test("a process that is not the owner of the database cannot replace what is stored", async () => {
  const command = reencrypt(undefined, { DATABASE_OWNER_URL: db.serviceUrl });

  expect(await command.ended).not.toBe(0);
  expect(command.output()).toContain("Set DATABASE_OWNER_URL");
});

function environment(encryptionKeys: string): Record<string, string> {
  return {
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: password,
    GATEWAY_BASE_URL: "http://127.0.0.1:1",
    GATEWAY_ACCESS_TOKEN: "none",
    API_TOKEN: apiToken,
  };
}

function startServer(encryptionKeys: string): Promise<ServerProcess> {
  return startServerProcess({ ...environment(encryptionKeys), ROLES: "receiver,worker,dashboard" });
}

function reencrypt(onOutput?: (output: string) => void, changes: Record<string, string> = {}): RunningCommand {
  return runCommand(["keys", "reencrypt"], { ...environment(`${newer} ${older}`), ...changes }, onOutput);
}

interface Report {
  readonly uses: readonly {
    readonly column: string;
    readonly keyId: string;
    readonly rows: number;
    readonly unbound: number;
  }[];
}

async function reportKeys(): Promise<Report> {
  const command = runCommand(["keys", "reencrypt", "--dry-run", "--json"], environment(`${newer} ${older}`));
  expect(await command.ended).toBe(0);
  return JSON.parse(command.output()) as Report;
}

function usesOf({ uses }: Report, name: string): Report["uses"] {
  return uses.filter(({ column }) => column === name);
}

function idOf(key: string): string {
  return key.slice(0, key.indexOf(":"));
}

async function push(orderId: string): Promise<string> {
  const response = await fetch(`${server.agencyUrl}/ocn`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: `Basic ${Buffer.from(`gateway:${password}`).toString("base64")}`,
    },
    body: JSON.stringify(sampleNotification("minor-delay", { orderId })),
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
  return await eventually(async () => {
    const { rows } = await db.ownerDatabase.pool.query<{ id: string }>(
      `select notification_id as id from skedchange.case_notifications j join skedchange.cases c on c.id = j.case_id
       where c.order_id = $1`,
      [orderId],
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.id;
  });
}

async function insertPolledStatuses(): Promise<void> {
  const read = readEncryptionKeys(older);
  if (!read.ok) throw new Error(read.problem);
  const encryption = createEncryption(read.keys);
  const rows = await Promise.all(
    Array.from({ length: polledOrders }, async () => {
      const id = newId(systemClock);
      const place = { column: "skedchange.order_status_views.body", row: id } as const;
      return { id, ...(await encryption.encrypt(Buffer.from("{}"), place)) };
    }),
  );
  await db.ownerDatabase.pool.query(
    `insert into skedchange.order_status_views
       (id, source, order_id, read_at, proposal_digest, body, body_encoding, body_bytes, key_id, is_bound)
     select r.id, 'default', 'BEFORE', now(), 'd', r.body, 'gzip', 2, $3, true
     from unnest($1::uuid[], $2::bytea[]) as r (id, body)`,
    [rows.map(({ id }) => id), rows.map(({ body }) => body), idOf(older)],
  );
}
