import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../../src/kernel/encryption-keys.ts";
import { createKeyedDigest } from "../../../src/kernel/keyed-digest.ts";
import { createRecognisedCredentials } from "../../../src/kernel/recognised-credentials.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { hashSecret } from "../../../src/kernel/secret-verifier.ts";
import { createNotificationStore } from "../../../src/store/notifications/notifications.ts";
import { createRecognisedStore } from "../../../src/store/recognised-credentials.ts";

import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { anOcn, basic, password, post, type ReceiverServer, startReceiver, username } from "./receiver-server.ts";

// As behind a proxy that TRUSTED_PROXIES does not name: strangers and the gateway come from 127.0.0.1.

const keys = readEncryptionKeys(createEncryptionKey(new Date("2026-12-01T10:00:00Z")));

let db: TestDatabase;
let hash: string;
beforeAll(async () => {
  db = await createTestDatabase();
  hash = await hashSecret(password);
});
afterAll(() => db?.drop());

const running: ReceiverServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function aReceiver(): Promise<ReceiverServer> {
  const authentication = [{ kind: "basic" as const, username, passwords: [new Secret(hash)] }];
  const server = await startReceiver(createNotificationStore(db.database), {
    sources: [{ name: "default", authentication, acknowledgeUnusable: false }],
    recognised: createRecognisedCredentials({
      digest: createKeyedDigest(keys.ok ? keys.keys : [], "test"),
      store: createRecognisedStore(db.database),
      clock: systemClock,
      onError: (error) => {
        throw error;
      },
    }),
  });
  running.push(server);
  return server;
}

async function push(server: ReceiverServer, word: string): Promise<number> {
  const response = await post(server, anOcn("ONEADDR1"), { authorization: basic(username, word) });
  await response.arrayBuffer();
  return response.status;
}

describe("where strangers and the gateway have one address", () => {
  test("a hashed password that was right before a restart is taken at once, while strangers guess", async () => {
    expect(await push(await aReceiver(), password)).toBe(200);
    const restarted = await aReceiver();
    let refused = 0;
    const guess = (index: number) =>
      push(restarted, `${index}`).then((status) => {
        if (status === 401) refused += 1;
        return status;
      });
    // Of one network the newest check comes first, so one that had to wait would come last, or lose its place.
    const before = Array.from({ length: 10 }, (_, index) => guess(index));
    const right = push(restarted, password);
    const after = Array.from({ length: 70 }, (_, index) => guess(10 + index));

    expect(await right).toBe(200);

    expect(refused).toBeLessThan(20);
    expect(new Set(await Promise.all([...before, ...after]))).toEqual(new Set([401, 429]));
  });
});
