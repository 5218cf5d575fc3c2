import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../src/store/database/sql.ts";
import { acknowledge, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";
import { startTokenServer } from "./token-server.ts";

/** Each occurs nowhere else, so that finding it means that it got out. */
const secrets = {
  basic: "pässword-k3pt-secret",
  bearer: "bearer-k3pt-secret",
  client: "client-k3pt-secret",
  signing: `whsec_${Buffer.from("signing-k3pt-secret-24byte").toString("base64")}`,
};

let bench: SenderBench;
let receiver: ScriptedReceiver;
let control: string;
const responses: string[] = [];

beforeAll(async () => {
  bench = await openSenderBench({ encrypts: true });
  receiver = await startReceiver((response, post) => {
    // The worst that a recipient can do: it says everything it was sent, with a failure, so that it is kept.
    if (receiver.posts.length % 2 === 1) response.writeHead(500).end(JSON.stringify(post.headers));
    else acknowledge(response);
  });
  control = `${await bench.serveControl(bench.createSender())}/control`;
});
afterAll(async () => {
  await receiver.close();
  await bench.close();
});

async function call(method: string, path: string, body?: object): Promise<string> {
  const response = await fetch(`${control}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  responses.push(text, JSON.stringify([...response.headers]));
  return text;
}

test("credentials are in no dump of the database, no log line and no response of the API", async () => {
  const tokens = await startTokenServer();
  const sender = bench.createSender();
  const authorizations = [
    { type: "basic", username: "agency", password: secrets.basic },
    { type: "bearer", token: secrets.bearer },
    { type: "oauth", tokenUrl: tokens.url, clientId: "gateway", clientSecret: secrets.client },
  ];
  for (const authorization of authorizations) {
    const recipient = { name: "Example Travel", url: receiver.url, authorization, signingSecrets: [secrets.signing] };
    const { id } = JSON.parse(await call("POST", "/recipients", recipient)) as { id: string };
    await call("PATCH", `/recipients/${id}`, { authorization, signingSecrets: [secrets.signing] });
    await call("PATCH", `/recipients/${id}`, { authorization: { ...authorization, type: "unheard-of" } });
  }
  await bench.announce(sender);
  for (let turn = 0; turn < 4; turn += 1) {
    await deliverAll(sender);
    bench.pass(3_600_000);
  }
  await tokens.close();
  await call("GET", "/recipients");
  const { items } = JSON.parse(await call("GET", "/deliveries")) as { items: { id: string; state: string }[] };
  for (const { id } of items) await call("GET", `/deliveries/${id}/attempts`);

  expect(items.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
  expect(receiver.posts.length).toBeGreaterThan(3);
  const places = { dump: await dump(), log: bench.lines.join("\n"), responses: responses.join("\n") };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(1_000);
    for (const form of Object.values(secrets).flatMap(formsOf)) {
      expect({ place, form, found: text.includes(form) }).toEqual({ place, form, found: false });
    }
  }
});

/** As it may be written down: itself, as JSON, in a Basic header, and as hexadecimal digits of the bytes. */
function formsOf(secret: string): readonly string[] {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    base64(secret),
    base64(`agency:${secret}`),
    base64(`gateway:${secret}`),
    Buffer.from(secret).toString("hex"),
  ];
}

/** Every row of every table, with the bytes as they are and, where they are compressed only, as they were before. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_schema in ('gateway', 'skedchange') and table_type = 'BASE TABLE'`.execute(
    bench.ownerDatabase.connection,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.raw(name)}`.execute(
      bench.ownerDatabase.connection,
    );
    for (const row of rows) {
      parts.push(JSON.stringify(row));
      for (const value of Object.values(row)) {
        if (!Buffer.isBuffer(value)) continue;
        parts.push(value.toString("hex"), value.toString("utf8"));
        parts.push(await promisify(gunzip)(value).then(String, () => ""));
      }
    }
  }
  return parts.join("\n");
}
