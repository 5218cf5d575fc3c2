import { once } from "node:events";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import type { Sender } from "../../../src/sender/sender.ts";
import { testOrderId } from "../../../src/sender/test-notification.ts";
import { createEncryption } from "../../../src/store/database/encryption.ts";
import { reencrypt } from "../../../src/store/reencryption/reencrypt.ts";
import { makeSelfSigned } from "../../harness/certificates.ts";
import { linesOf, runCaptured } from "../../unit/cli/captured-terminal.ts";
import { acknowledge, respondWith, type ScriptedReceiver, startReceiver } from "./scripted-receiver.ts";
import { deliverAll, openSenderBench, type SenderBench } from "./sender-bench.ts";

const orderId = "QX7R2M1A";
const dayMs = 24 * 3_600_000;

let bench: SenderBench;
let sender: Sender;
let receiver: ScriptedReceiver;
let url: string;

beforeAll(async () => {
  bench = await openSenderBench();
  sender = bench.createSender();
  url = await bench.serveControl(sender);
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await bench.clear();
});
afterAll(async () => {
  await bench.close();
});

async function deliverOne(): Promise<void> {
  await bench.announce(sender);
  await deliverAll(sender);
}

const cli = (...args: readonly string[]) =>
  runCaptured([...args, "--url", url], { columns: 300, environment: { NO_COLOR: "1" } });

describe("the timings of an attempt", () => {
  test("report the phases of a new connection, and none of one that was open already", async () => {
    receiver.script = (response) => void setTimeout(() => acknowledge(response), 20);
    await bench.addRecipient(receiver.url);
    await deliverOne();
    await deliverOne();

    const { items } = await bench.recipients.listDeliveries({}, { limit: 2, cursor: null });
    const [second] = await bench.attempts(items[0]!.id);
    const [first] = await bench.attempts(items[1]!.id);
    expect(first!.timings).toMatchObject({ connectMs: expect.any(Number), tlsMs: null });
    expect(second!.timings).toMatchObject({ lookupMs: null, connectMs: null, tlsMs: null });
    for (const attempt of [first!, second!]) {
      expect(attempt.timings!.firstByteMs).toBeGreaterThanOrEqual(19);
      expect(attempt.timings!.firstByteMs).toBeLessThanOrEqual(attempt.durationMs!);
    }
  });

  test("have a look-up where the URL has a name", async () => {
    await bench.addRecipient(receiver.url.replace("127.0.0.1", "localhost"));
    await deliverOne();

    const [attempt] = await bench.attempts((await bench.newestDelivery()).id);
    expect(attempt!.timings).toMatchObject({ lookupMs: expect.any(Number), connectMs: expect.any(Number) });
  });
});

describe("a client certificate", () => {
  let pem: { certificate: string; privateKey: string };
  const expiresAt = expect.stringMatching(/^20\d\d-/);

  beforeAll(async () => {
    pem = await makeSelfSigned("localhost");
  });

  async function add(body: object) {
    const response = await fetch(`${url}/control/recipients`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "A", authorization: { type: "bearer", token: "t" }, ...body }),
    });
    return { status: response.status, text: await response.text() };
  }

  test("is shown to a recipient that asks for one, and never comes out", async () => {
    const shown: boolean[] = [];
    const options = { key: pem.privateKey, cert: pem.certificate, ca: pem.certificate, requestCert: true };
    const server = createTlsServer({ ...options, rejectUnauthorized: true }, (request, response) => {
      shown.push((request.socket as TLSSocket).authorized);
      request.resume().on("end", () => acknowledge(response));
    }).listen(0, "localhost");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const clientCertificate = { ...pem, authorities: pem.certificate };
    const created = await add({ url: `https://localhost:${port}/ocn`, clientCertificate });

    await deliverOne();

    expect(JSON.parse(created.text)).toMatchObject({ clientCertificate: { expiresAt } });
    expect(created.text).not.toContain("BEGIN");
    expect(shown).toEqual([true]);
    const delivery = await bench.newestDelivery();
    expect(delivery.state).toBe("delivered");
    const [attempt] = await bench.attempts(delivery.id);
    expect(attempt!.timings).toMatchObject({ tlsMs: expect.any(Number) });
    server.closeAllConnections();
    server.close();
  });

  test("that is none, or not that of the key, is refused", async () => {
    const { certificate, privateKey } = pem;
    const bad = [
      { certificate: "none", privateKey },
      { certificate, privateKey: "none" },
      { certificate, privateKey, authorities: "none" },
    ];
    for (const clientCertificate of bad) {
      expect((await add({ url: receiver.url, clientCertificate })).status).toBe(400);
    }
  });
});

describe("a test notification", () => {
  test("goes to a paused recipient as well, and leaves no delivery behind", async () => {
    const { id } = await bench.addRecipient(receiver.url);
    expect(await cli("recipients", "pause", id, "--reason", "maintenance")).toMatchObject({ exitCode: 0 });

    const tested = await cli("recipients", "test", id);

    expect(tested).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^delivered, status 200/) });
    expect(JSON.parse(receiver.posts[0]!.body.toString()).OrderViewRS.Order[0].OrderID).toBe(testOrderId);
    expect((await bench.recipients.listDeliveries({}, { limit: 1, cursor: null })).items).toEqual([]);
    receiver.script = respondWith(500);
    expect(await cli("recipients", "test", id)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("sender.refused"),
    });
  });
});

describe("the command line", () => {
  test("adds, lists, resumes and removes recipients", async () => {
    const recipient = {
      name: "Example Travel",
      url: receiver.url,
      authorization: { type: "bearer", token: "hunter2" },
      agencyId: "agency-1",
    };
    const added = await runCaptured(["recipients", "add", "--url", url], { stdin: JSON.stringify(recipient) });
    const id = added.stdout.trim();
    expect(added.exitCode).toBe(0);
    expect((await cli("recipients", "list", "--agency", "agency-1")).stdout).toContain(id);
    expect((await cli("recipients", "list", "--agency", "agency-2")).stdout).toContain("No recipients yet.");
    expect((await cli("recipients", "resume", id)).stdout).toContain("is active");
    expect(await cli("recipients", "remove", id)).toMatchObject({ exitCode: 0 });
    expect(await cli("recipients", "remove", id)).toMatchObject({ exitCode: 1 });
    expect((await runCaptured(["recipients", "add", "--url", url], { stdin: "hunter2" })).stderr).not.toContain(
      "hunter2",
    );
  });

  test("lists deliveries and their attempts, and replays one or many", async () => {
    const { id: recipientId } = await bench.addRecipient(receiver.url);
    receiver.script = respondWith(422);
    await deliverOne();
    const { id } = await bench.newestDelivery();

    expect((await cli("deliveries", "list", "--state", "dead", "--order", orderId)).stdout).toContain(id);
    expect((await cli("deliveries", "list", "--state", "delivered")).stdout).toContain("There is none.");
    expect((await cli("deliveries", "list", "--state", "dead", "--recipient", recipientId)).stdout).toContain(id);
    expect((await cli("deliveries", "attempts", id)).stdout).toContain("sender.rejected");
    for (const args of [[], ["--preview"], [id, "--all"], [id, "--state", "dead"]]) {
      expect(await cli("deliveries", "resend", ...args)).toEqual({
        exitCode: 2,
        stdout: "",
        stderr:
          "Error: Name one delivery, or choose many by --state, --recipient, --order or --since, or give --all.\n",
      });
    }
    expect((await cli("deliveries", "resend", "--all", "--preview")).stdout).toBe(
      "1 dead delivery would be sent again.\n",
    );
    expect((await cli("deliveries", "resend", "--state", "delivered", "--preview")).stdout).toBe(
      "0 delivered deliveries would be sent again.\n",
    );
    expect(await cli("deliveries", "replay", "--airline", "LH")).toEqual({
      exitCode: 0,
      stdout: "Sending 1 dead delivery again.\n",
      stderr: "",
    });
    await bench.resends.advanceResend(10);
    expect((await bench.newestDelivery()).replayOf).toBe(id);
    expect(await cli("deliveries", "resend", "--all", "--preview")).toEqual({
      exitCode: 0,
      stdout: "0 dead deliveries would be sent again.\n",
      stderr: "1 is left out: sent again before, or the recipient is removed.\n",
    });
    expect(await cli("deliveries", "replay", id)).toMatchObject({ exitCode: 0 });
  });

  test.each(["deliveries", "recipients"])("lists %s in 80 columns with whole ids and nothing cut", async (command) => {
    await bench.addRecipient(receiver.url);
    await deliverOne();

    const { stdout } = await runCaptured([command, "list", "--url", url], { columns: 80 });
    const piped = await runCaptured([command, "list", "--url", url]);

    expect(Math.max(...linesOf(stdout).map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(stdout).not.toContain("…");
    expect(stdout).toContain(piped.stdout.slice(0, 36));
    expect(piped.stdout.split("\n")[0]!.split("\t")).toHaveLength(6);
  });

  test.each(["deliveries", "recipients"])("lists %s page by page", async (command) => {
    await bench.addRecipient(receiver.url);
    await bench.addRecipient(receiver.url);
    await deliverOne();

    const first = linesOf((await cli(command, "list", "--limit", "1")).stdout);
    const [, cursor] = /^There are more: add --cursor (\S+)$/.exec(first[2] ?? "") ?? [];
    const second = linesOf((await cli(command, "list", "--limit", "1", "--cursor", cursor ?? "")).stdout);

    expect(second).toHaveLength(first.length - 1);
    expect(second[1]).not.toBe(first[1]);
  });
});

test("attempts are counted per recipient", async () => {
  const { id } = await bench.addRecipient(receiver.url);
  await deliverOne();

  const text = await bench.metrics.registry.metrics();
  expect(text).toContain(`skedchange_recipient_attempts_total{recipient="${id}",outcome="delivered"} 1`);
});

test("a recipient that fails is spoken of after one and after three days, once each, before it is disabled", async () => {
  await bench.addRecipient(receiver.url);
  receiver.script = respondWith(500);
  const spoken = (): number => bench.lines.filter((line) => line.includes("recipient.failing")).length;
  const seen: number[] = [];
  for (const day of [0, 1, 1, 2, 3, 3, 4]) {
    bench.pass(day === 0 ? 0 : dayMs / 2);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await bench.announce(sender, { orderId: `D${seen.length}T${attempt}` });
      await deliverAll(sender);
    }
    seen.push(spoken());
  }

  expect(seen).toEqual([0, 0, 1, 1, 1, 1, 2]);
});

test("stored credentials are encrypted again with the newest key, and those that cannot be decrypted are named", async () => {
  const keys = [1, 2, 3].map((day) => {
    const read = readEncryptionKeys(createEncryptionKey(new Date(`2026-11-0${day}T00:00:00Z`)));
    if (!read.ok) throw new Error(read.problem);
    return read.keys[0]!;
  });
  const [older, newer, lost] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
  const { createRecipientStore } = await import("../../../src/store/deliveries/recipients.ts");
  const { createDeliveryStore } = await import("../../../src/store/deliveries/lane-store.ts");
  const withKeys = (...used: (typeof keys)[0][]) => ({ ...bench.database, encryption: createEncryption(used) });
  const clock = { now: bench.now };
  const add = async (key: (typeof keys)[0]) => {
    bench.pass(1);
    const { createRecipient } = createRecipientStore({ database: withKeys(key), clock });
    const authorization = { type: "bearer", token: new Secret("hunter2") } as const;
    const rules = { ordering: "latest", acknowledgement: "required", airlines: null, deadlineMs: null } as const;
    const others = { lanesMax: null, ratePerSecond: null, agencyId: null, clientCertificate: null };
    const signingSecrets = [new Secret(`whsec_${Buffer.alloc(24).toString("base64")}`)];
    return createRecipient({ name: "A", url: receiver.url, authorization, signingSecrets, ...rules, ...others });
  };
  const one = await add(older);
  const { id: lostId } = await add(lost);

  const { connection } = bench.ownerDatabase;
  const results = await reencrypt({ connection, encryption: createEncryption([newer, older]) }, () => {});

  for (const column of ["gateway.recipients.credential", "gateway.recipients.signing_secrets"]) {
    expect(results).toContainEqual({ column, done: 1, unreadableIds: [lostId] });
  }
  const target = await createDeliveryStore({ database: withKeys(newer), clock }).readTarget(one.id);
  expect(target!.message).toMatchObject({ kind: "readable" });
});
