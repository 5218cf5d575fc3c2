import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { sql } from "../../src/store/database/sql.ts";
import { asTx, inTransaction } from "../../src/store/database/transaction.ts";
import { createDeliveryStore } from "../../src/store/deliveries/lane-store.ts";
import { createRecipientStore } from "../../src/store/deliveries/recipients.ts";
import { makeSelfSigned, makeTestAuthority, type TestCertificate } from "../harness/certificates.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { acknowledge } from "../integration/sender/scripted-receiver.ts";

const presented = ["valid", "expired", "other-host", "self-signed"] as const;
type Presented = (typeof presented)[number];

interface StoredAttempt {
  readonly recipient: string;
  readonly state: string;
  readonly outcome: string;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

let folder: string;
let db: TestDatabase;
let sender: ServerProcess;
const servers: { close(): unknown }[] = [];
const posts: string[] = [];
const hanging = new Set<Socket>();
let attempts: ReadonlyMap<string, StoredAttempt>;

beforeAll(async () => {
  folder = await makeTestFolder();
  const certificates = await makeCertificates();
  db = await createTestDatabase();
  const recipients = createRecipientStore({ database: db.database, clock: systemClock });
  const urls = new Map<string, string>();
  for (const name of presented) urls.set(name, await startTlsServer(name, certificates[name]));
  urls.set("hangs", await startHangingServer());
  for (const [name, url] of urls) {
    await recipients.createRecipient({
      name,
      url,
      authorization: { type: "bearer", token: new Secret("recipients-token") },
      signingSecrets: [],
      ordering: "latest",
      airlines: null,
      acknowledgement: "required",
      deadlineMs: 5_000,
      lanesMax: null,
      ratePerSecond: null,
      agencyId: null,
      clientCertificate: null,
    });
  }
  sender = await startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "sender",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8 ::1/128",
    LOG_LEVEL: "error",
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  });
  const store = createDeliveryStore({ database: db.database, clock: systemClock });
  const announcement = { orderId: "ORDER1", airline: "LH", changeId: "change-1", body: Buffer.from("{}") };
  await inTransaction(db.database, (trx) => store.addAnnouncement(asTx(trx), announcement));
  attempts = await eventually(readFirstAttempts, { timeoutMs: 60_000, everyMs: 250 });
  // Certificates are made, a process starts, and several handshakes run into their time-outs.
}, 120_000);
afterAll(async () => {
  await sender?.end("SIGTERM");
  for (const socket of hanging) socket.destroy();
  for (const server of servers) server.close();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

async function makeCertificates(): Promise<Readonly<Record<Presented, TestCertificate>>> {
  const authority = await makeTestAuthority();
  await writeFile(join(folder, "ca.pem"), authority.certificate);
  return {
    valid: await authority.sign("localhost"),
    expired: await authority.sign("localhost", -1),
    "other-host": await authority.sign("elsewhere.example"),
    "self-signed": await makeSelfSigned("localhost"),
  };
}

async function startTlsServer(name: Presented, { certificate, privateKey }: TestCertificate): Promise<string> {
  const server: Server = createServer({ key: privateKey, cert: certificate }, (request, response) => {
    posts.push(name);
    request.resume();
    acknowledge(response);
  }).listen(0);
  servers.push(server);
  await once(server, "listening");
  return `https://localhost:${(server.address() as AddressInfo).port}/ocn`;
}

/** Accepts, and never responds to the TLS handshake. */
async function startHangingServer(): Promise<string> {
  const server = createTcpServer((socket) => {
    hanging.add(socket);
    socket.on("error", () => undefined);
    socket.resume();
  }).listen(0);
  servers.push(server);
  await once(server, "listening");
  return `https://localhost:${(server.address() as AddressInfo).port}/ocn`;
}

async function readFirstAttempts(): Promise<ReadonlyMap<string, StoredAttempt>> {
  const { rows } = await sql<StoredAttempt>`
    select r.name as recipient, d.state, a.outcome, a.http_status as "httpStatus", a.error_code as "errorCode",
      a.error_message as "errorMessage"
    from gateway.attempts a
    join gateway.deliveries d on d.id = a.delivery_id
    join gateway.recipients r on r.id = d.recipient_id
    where a.number = 1 and a.outcome is not null`.execute(db.ownerDatabase.connection);
  expect(rows).toHaveLength(presented.length + 1);
  return new Map(rows.map((row) => [row.recipient, row]));
}

describe("a recipient on https", () => {
  test("whose certificate is valid for its name is delivered to", () => {
    expect(attempts.get("valid")).toMatchObject({ state: "delivered", outcome: "delivered", httpStatus: 200 });
  });

  test.each<[string, Presented, RegExp]>([
    ["has expired", "expired", /expired/],
    ["is for another host", "other-host", /altnames/],
    ["is signed by nobody we know", "self-signed", /self-signed/],
  ])("whose certificate %s is sent nothing, and tried again by the schedule", (_what, name, message) => {
    expect(attempts.get(name)).toMatchObject({
      state: "pending",
      outcome: "failed",
      httpStatus: null,
      errorCode: "sender.tls_failed",
      errorMessage: expect.stringMatching(message),
    });
    expect(posts).not.toContain(name);
  });

  test("that never responds to the handshake is left at the deadline", () => {
    expect(attempts.get("hangs")).toMatchObject({
      state: "pending",
      outcome: "failed",
      httpStatus: null,
      errorCode: "sender.timeout",
    });
  });
});
