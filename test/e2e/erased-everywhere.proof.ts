import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { readEncryptionKeys } from "../../src/kernel/encryption-keys.ts";
import { createEncryption } from "../../src/store/database/encryption.ts";
import type { AgencyApi } from "../harness/agency-api.ts";
import { findTablesWith } from "../harness/find-tables-with.ts";
import {
  findPostgresPrograms,
  type InstalledPostgres,
  requiresPostgresPrograms,
} from "../harness/postgres-programs.ts";
import { hasRedisServer, requiresRedis } from "../harness/redis-presence.ts";
import { type RedisServer, startRedisServer } from "../harness/redis-server.ts";
import type { ForwardedRequest } from "../upgrade/forwarder.ts";
import { startTwoInstallations, succeeds, type TwoInstallations } from "./two-installations.ts";

const withPrograms = findPostgresPrograms() !== null || requiresPostgresPrograms() ? describe : describe.skip;
const queues = (["postgresql", "redis"] as const).filter(
  (queue) => queue === "postgresql" || hasRedisServer() || requiresRedis(),
);

const orderId = "ERASE1";
const another = "STAYS1";
/** Of the traveller of the one order; each occurs nowhere else. */
const marks = {
  name: "Zqmarkerqz",
  email: "zqmailqz@example.org",
  phone: "+35191zqphoneqz",
  document: "ZQPASSPORT77",
  ticket: "9998887776665",
};
const everyMark = Object.values(marks).join(" ");
/** The policy leaves it to a person, and somebody has to look at the ticket after the accept. */
const renumbered = { kind: "renumber", flightNumber: "1169" };

let installations: TwoInstallations;
let redis: RedisServer | null = null;
afterEach(async () => {
  await installations?.close();
  await redis?.close();
  redis = null;
}, 60_000);

/** The gateway makes travellers up, so what it says of the order is filled in on the way. */
function nameTraveller({ path, body }: ForwardedRequest) {
  if (!body.includes(orderId)) return null;
  const fill = (text: string): string =>
    text
      .replaceAll(
        /"LastName":"[^"]*"/g,
        `"LastName":"${marks.name}","EmailContact":"${marks.email}","Phone":"${marks.phone}"`,
      )
      .replaceAll(/"DocumentNumber":"[^"]*"/g, `"DocumentNumber":"${marks.document}"`)
      .replaceAll(/"(TicketDocNbr|TicketNumber)":"[^"]*"/g, `"$1":"${marks.ticket}"`)
      .replaceAll(/"Status":"SUCCESS"/g, `"ErrorMsg":"Done for ${everyMark}","Status":"SUCCESS"`)
      .replaceAll(/"ShortText":"[^"]*"/g, `"ShortText":"No seat for ${everyMark}"`);
  return path === "/ocn" ? { body: fill(body), readResponse: (text: string) => text } : { body, readResponse: fill };
}

/** Where any mark can be read: tables, a new dump, what processes printed, exports, and the queue. */
async function placesOf(on: InstalledPostgres, api: AgencyApi): Promise<readonly string[]> {
  const places: string[] = [];
  const look = (place: string, text: string): void => {
    const wanted = Object.entries(marks).filter(([, mark]) =>
      [mark, Buffer.from(mark).toString("hex"), Buffer.from(mark).toString("base64").replace(/.?=*$/, "")].some(
        (form) => text.toLowerCase().includes(form.toLowerCase()),
      ),
    );
    for (const [kind] of wanted) places.push(`${place}: ${kind}`);
  };
  const keys = readEncryptionKeys(installations.encryptionKeys);
  if (!keys.ok) throw new Error(keys.problem);
  const pool = new pg.Pool({ connectionString: on.adminUrl, max: 1 });
  for (const [kind, mark] of Object.entries(marks)) {
    const tables = await findTablesWith({ pool, encryption: createEncryption(keys.keys) }, mark);
    places.push(...tables.map((table) => `table ${table}: ${kind}`));
  }
  await pool.end();
  look("dump", await installations.dump(on, "--format=plain"));
  look("log of the database", await on.readLog());
  for (const agency of installations.agencies) look("log", agency.output());
  for (const format of ["jsonl", "csv"]) {
    look("audit", (await succeeds(installations.skedchange(on, "audit", "export", "--format", format))).stdout);
  }
  look("api", await readEverything(api));
  if (redis !== null) look("redis", await readRedis(redis));
  return places.toSorted();
}

/** Everything that the API shows of cases, notifications, orders and tasks, with all stored bodies. */
async function readEverything(api: AgencyApi): Promise<string> {
  const texts: unknown[] = [];
  const read = async <Body>(path: string): Promise<Body> => {
    const found = (await api.get(path)) as Body;
    texts.push(found);
    return found;
  };
  const bytes = async (path: string): Promise<void> => {
    const { status, text } = await api.getText(path);
    expect([200, 410]).toContain(status);
    texts.push(text);
  };
  const { items } = await read<{ items: { id: string }[] }>("/api/v1/notifications?limit=200");
  for (const { id } of items) {
    await read(`/api/v1/notifications/${id}`);
    await bytes(`/api/v1/notifications/${id}/body`);
  }
  for (const { id } of await api.listCases()) {
    await read(`/api/v1/cases/${id}`);
    const calls = await read<{ items: { id: string }[] }>(`/api/v1/cases/${id}/calls`);
    for (const call of calls.items) await bytes(`/api/v1/cases/${id}/calls/${call.id}/body`);
  }
  await read("/api/v1/tasks?limit=200");
  await read(`/api/v1/orders/${orderId}`);
  await read("/api/v1/bulk-actions");
  return JSON.stringify(texts);
}

async function readRedis(server: RedisServer): Promise<string> {
  const texts: unknown[] = [];
  for (const key of (await server.command("KEYS", "*")) as string[]) {
    const type = String(await server.command("TYPE", key));
    const reading = {
      string: ["GET", key],
      hash: ["HGETALL", key],
      list: ["LRANGE", key, 0, -1],
      set: ["SMEMBERS", key],
      zset: ["ZRANGE", key, 0, -1],
      stream: ["XRANGE", key, "-", "+"],
    }[type];
    if (reading === undefined) throw new Error(`${key} is a ${type}`);
    const [name, ...parameters] = reading as [string, ...(string | number)[]];
    texts.push(key, await server.command(name, ...parameters));
  }
  return JSON.stringify(texts);
}

withPrograms.each(queues)("with the queue on %s, an erased traveller (needs pg_dump)", (queue) => {
  test("is readable nowhere, nor after an older dump was restored and the list was applied", async () => {
    redis = queue === "redis" ? await startRedisServer() : null;
    installations = await startTwoInstallations({
      onTheWay: nameTraveller,
      settings: { LOG_LEVEL: "debug", ...(redis === null ? {} : { QUEUE_URL: redis.url }) },
    });
    const { live, restored, folder, book, change, startAgency, skedchange } = installations;
    const { api, server } = await startAgency(live, "receiver,worker,dashboard");
    for (const each of [orderId, another]) {
      await book(each);
      await change(each, renumbered);
    }
    const { id } = await api.caseIn(orderId, ["awaiting-agent"]);
    await api.act(id, "note", { note: `${everyMark} called` });
    const contact = { channel: "phone", happenedAt: new Date().toISOString(), note: `${everyMark} was glad` };
    expect((await api.act(id, "traveller-informed", contact)).status).toBe(202);
    const fault = { operation: "AirReservationStatus", mode: "http-500", orderId, times: 1 };
    await installations.control("POST", "/faults", fault);
    expect((await api.act(id, "accept", { note: `${everyMark} agrees` })).status).toBe(202);
    await api.caseIn(orderId, ["done"], 60_000);
    await api.caseIn(another, ["awaiting-agent"]);
    const unusable = JSON.stringify({ OrderID: orderId, Names: everyMark });
    expect((await api.postOcn(unusable, `Bearer ${installations.ocnToken}`)).status).toBe(422);
    const { items: tasks } = (await api.get("/api/v1/tasks?state=open")) as { items: { id: string }[] };
    expect(tasks).not.toEqual([]);
    for (const task of tasks) await api.closeTask(task.id, `${everyMark} was told`);
    const older = join(folder, "older.dump");
    await installations.dump(live, "--format=custom", `--file=${older}`);
    // What is not found now would not be found afterwards either.
    expect(await placesOf(live, api)).toEqual(
      expect.arrayContaining(
        Object.keys(marks).flatMap((kind) => [
          `api: ${kind}`,
          `table skedchange.document_views: ${kind}`,
          `table skedchange.effects: ${kind}`,
          `table skedchange.notifications: ${kind}`,
          `table skedchange.status_views: ${kind}`,
        ]),
      ),
    );

    for (const mark of Object.values(marks)) {
      const { stdout } = await skedchange(live, "erase", "--traveller", mark);
      expect(stdout).toContain(orderId);
    }
    await succeeds(skedchange(live, "erase", "--order", `default/${orderId}`, "--by", "dpo", "--yes"));

    expect(await placesOf(live, api)).toEqual([]);
    const list = join(folder, "erased.jsonl");
    await writeFile(list, (await succeeds(skedchange(live, "erase", "--list"))).stdout);
    await server.end("SIGTERM");
    await installations.restore(older);
    expect((await skedchange(restored, "erase", "--traveller", marks.name)).stdout).toContain(orderId);
    await succeeds(skedchange(restored, "erase", "--apply", list));

    const again = await startAgency(restored, "receiver,worker,dashboard");
    expect(await placesOf(restored, again.api)).toEqual([]);
    expect((await again.api.listCases(`orderId=${another}`)).map(({ state }) => state)).toEqual(["awaiting-agent"]);
    await succeeds(skedchange(restored, "audit", "verify"));
  }, 240_000);
});
