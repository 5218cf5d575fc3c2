import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RecognisedCredentials } from "../../../src/kernel/recognised-credentials.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import type { VerifyAccessToken } from "../../../src/receiver/access-token.ts";
import {
  type AuthorizationServerClient,
  createAuthorizationServerClient,
} from "../../../src/receiver/authorization-server-client.ts";
import { createIntrospectionVerifier } from "../../../src/receiver/introspection.ts";
import {
  sendJson,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../../harness/authorization-server.ts";

const audience = "https://agency.example/ocn";
/** Of everybody, as behind a proxy that TRUSTED_PROXIES does not name. */
const network = "192.0.2.7";

let nowMs: number;
let server: TestAuthorizationServer;
let client: AuthorizationServerClient;
let stored: Set<string>;
beforeEach(async () => {
  nowMs = Date.parse("2026-12-01T10:00:00Z");
  stored = new Set();
  client = createAuthorizationServerClient(5_000);
  server = await startAuthorizationServer();
  server.serveIntrospection((token, response) =>
    sendJson(response, token.startsWith("active") ? { active: true, aud: audience } : { active: false }),
  );
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const recognised: RecognisedCredentials = {
  includes: async (checkedBy, credential) => stored.has(`${checkedBy} ${credential}`),
  add: (checkedBy, credential) => void stored.add(`${checkedBy} ${credential}`),
};

/** A process that has just started. */
function aVerifier(): VerifyAccessToken {
  const trust = {
    url: server.introspectionUrl,
    clientId: "agency",
    clientSecret: new Secret("hush"),
    issuer: null,
    audiences: [audience],
    scopes: [],
    clockSkewSeconds: 60,
  };
  return createIntrospectionVerifier(trust, { client, clock: { now: () => new Date(nowMs) }, recognised });
}

async function flood(verify: VerifyAccessToken, count: number): Promise<Readonly<Record<string, number>>> {
  const outcomes: Record<string, number> = {};
  for (let guess = 0; guess < count; guess += 1) {
    const { outcome } = await verify(`wrong-${nowMs}-${guess}`, network);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

describe("introspection, while strangers at the same address send invented tokens", () => {
  test("keeps active tokens, however many are refused", async () => {
    const verify = aVerifier();
    expect(await verify("active-1", network)).toEqual({ outcome: "accepted" });
    await flood(verify, 600);
    nowMs += 59_000;
    const asked = server.introspections.length;

    expect(await verify("active-1", network)).toEqual({ outcome: "accepted" });
    expect(server.introspections.length).toBe(asked);
  });

  test("asks about a token that was active before a restart, when the questions of a minute are used up", async () => {
    expect(await aVerifier()("active-2", network)).toEqual({ outcome: "accepted" });
    const restarted = aVerifier();
    expect(await flood(restarted, 700)).toEqual({ invalid: 600, undecided: 100 });
    expect(server.introspections.length).toBe(601);

    expect(await restarted("active-2", network)).toEqual({ outcome: "accepted" });
    expect(await restarted("active-3", network)).toMatchObject({
      outcome: "undecided",
      error: { code: "secret.too_many_candidates", retryable: true },
    });
    nowMs += 60_000;
    expect(await restarted("active-3", network)).toEqual({ outcome: "accepted" });
  });

  test("asks for a network whose last token was active, also when others have used up their questions", async () => {
    const verify = aVerifier();
    expect(await verify("active-4", "198.51.100.1")).toEqual({ outcome: "accepted" });
    await flood(verify, 700);

    expect(await verify("active-5", "198.51.100.1")).toEqual({ outcome: "accepted" });
  });

  test("asks about at most 1,200 tokens a minute that were never active before, of all networks together", async () => {
    const verify = aVerifier();
    const proven = "198.51.100.1";
    expect(await verify("active-0", proven)).toEqual({ outcome: "accepted" });
    await flood(verify, 700);
    let accepted = 0;
    for (let token = 1; token <= 700; token += 1) {
      const { outcome } = await verify(`active-of-minute-${token}`, proven);
      if (outcome === "accepted") accepted += 1;
    }

    expect(accepted).toBe(600);
    expect(server.introspections.length).toBe(1_200);
  });

  test("does not take a token that was active and has ended for a guess of its network", async () => {
    const verify = aVerifier();
    expect(await verify("active-6", network)).toEqual({ outcome: "accepted" });
    server.serveIntrospection((token, response) =>
      sendJson(response, token === "active-7" ? { active: true, aud: audience } : { active: false }),
    );
    nowMs += 61_000;
    expect(await verify("active-6", network)).toMatchObject({ outcome: "invalid" });
    for (let guess = 0; guess < 700; guess += 1) await verify(`wrong-${guess}`, "203.0.113.9");

    expect(await verify("active-7", network)).toEqual({ outcome: "accepted" });
  });
});
