import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import type { RecipientAuthorization } from "../../../src/sender/ports.ts";
import { deliverAll } from "../../integration/sender/sender-bench.ts";
import { type Expected, firstWait, type HostileBench, openHostileBench, shortDeadline } from "./hostile-bench.ts";
import {
  acknowledges,
  type Behaviour,
  drips,
  type HostileReceiver,
  pours,
  rawResponse,
  startHostileReceiver,
  writes,
  writesAndResets,
} from "./hostile-receiver.ts";

let hostile: HostileBench;
let tokenEndpoint: HostileReceiver;

beforeAll(async () => {
  hostile = await openHostileBench();
});
beforeEach(async () => {
  await hostile.open();
  tokenEndpoint = await startHostileReceiver();
});
afterEach(async () => {
  await tokenEndpoint.close();
  await hostile.clear();
});
afterAll(() => hostile.close());

function authorization(tokenUrl = tokenEndpoint.url): RecipientAuthorization {
  const options = { clientAuthentication: "basic", keyId: null, scope: null, audience: null } as const;
  return { type: "oauth", tokenUrl, clientId: "gateway", clientSecret: new Secret("cl13nt-s3cr3t"), ...options };
}

function granting(token: string, members: string = `"expires_in":3600`): Behaviour {
  return writes(rawResponse(200, `{"access_token":"${token}","token_type":"Bearer",${members}}`));
}

/** Behaves like this once, and grants a token from then on. */
function once(behaviour: Behaviour): Behaviour {
  const rest = granting("granted-later");
  let isFirst = true;
  return {
    ...(behaviour.onAccept === undefined
      ? {}
      : {
          onAccept: (socket) => {
            tokenEndpoint.behaviour = rest;
            behaviour.onAccept!(socket);
          },
        }),
    onRequest: (socket, request) => {
      const chosen = isFirst ? behaviour : rest;
      isFirst = false;
      chosen.onRequest?.(socket, request);
    },
  };
}

const unavailable: Expected = {
  outcome: "failed",
  httpStatus: null,
  errorCode: "sender.token_unavailable",
  next: firstWait,
};
const refused: Expected = { ...unavailable, errorCode: "sender.token_refused" };

describe("a token endpoint", () => {
  test.each<[string, Behaviour, Expected]>([
    ["responds with 400 invalid_client", writes(rawResponse(400, `{"error":"invalid_client"}`)), refused],
    ["responds with 401", writes(rawResponse(401)), refused],
    ["responds with 403 and a page", writes(rawResponse(403, "<html></html>")), refused],
    ["responds with 404", writes(rawResponse(404)), refused],
    ["responds with 410", writes(rawResponse(410)), refused],
    ["responds with 408", writes(rawResponse(408)), unavailable],
    ["responds with 429", writes(rawResponse(429)), unavailable],
    ["responds with 500", writes(rawResponse(500)), unavailable],
    ["responds with 503", writes(rawResponse(503)), unavailable],
    ["redirects", writes(rawResponse(307, "", { Location: "http://127.0.0.1:1/" })), unavailable],
    ["responds with 200 and a page", writes(rawResponse(200, "<html>Welcome</html>")), unavailable],
    ["responds with 200 and nothing", writes(rawResponse(200)), unavailable],
    ["responds with 200 and an error", writes(rawResponse(200, `{"error":"server_error"}`)), unavailable],
    ["responds with 204", writes(rawResponse(204)), unavailable],
    [
      "grants a token of another type",
      writes(rawResponse(200, `{"access_token":"t","token_type":"mac"}`)),
      unavailable,
    ],
    ["grants an empty token", granting(""), unavailable],
    ["grants a token that would break out of its header", granting("a\\r\\nX-Injected: 1"), unavailable],
    ["grants a token that is no ASCII", granting("tökén"), unavailable],
    ["grants a token without end", pours(`HTTP/1.1 200 OK\r\n\r\n{"access_token":"`, "x".repeat(4_096)), unavailable],
    ["grants for a negative time", granting("t", `"expires_in":-1`), unavailable],
    ["grants for a time in words", granting("t", `"expires_in":"an hour"`), unavailable],
    ["grants for a list of times", granting("t", `"expires_in":[3600]`), unavailable],
    ["grants for longer than a number holds", granting("t", `"expires_in":1e999`), unavailable],
    ["resets the connection on accepting", { onAccept: (socket) => void socket.resetAndDestroy() }, unavailable],
    ["resets the connection after the request", { onRequest: (socket) => void socket.resetAndDestroy() }, unavailable],
    [
      "resets the connection in its response",
      writesAndResets("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"),
      unavailable,
    ],
    ["does not speak HTTP", writes("220 mail.example.com ESMTP\r\n"), unavailable],
  ])("that %s makes a retry, and the recipient is not asked meanwhile", async (_what, behaviour, expected) => {
    tokenEndpoint.behaviour = once(behaviour);
    await hostile.meets(notAsked, expected, { recipient: { authorization: authorization() } });
    expect(hostile.receiver.requests).toHaveLength(2);
    for (const { headers } of hostile.receiver.requests) expect(headers["authorization"]).toBe("Bearer granted-later");
  });

  test.each<[string, Behaviour]>([
    ["says nothing", {}],
    ["drips its response", drips("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n", " ")],
  ])("that %s is left at the deadline", async (_what, behaviour) => {
    tokenEndpoint.behaviour = once(behaviour);
    const recipient = { authorization: authorization() };
    await hostile.meets(notAsked, unavailable, { ...shortDeadline, recipient });
  });

  test("that asks for time by Retry-After gets it", async () => {
    tokenEndpoint.behaviour = once(writes(rawResponse(503, "", { "Retry-After": "120" })));
    const next = { kind: "retry", waitMs: 120_000 } as const;
    await hostile.meets(notAsked, { ...unavailable, next }, { recipient: { authorization: authorization() } });
  });

  test("that is down burns nothing: the delivery arrives when it is back", async () => {
    const { bench, receiver } = hostile;
    const sender = bench.createSender();
    const away = await startHostileReceiver();
    await away.close();
    const { id: recipientId } = await bench.addRecipient(receiver.url, { authorization: authorization(away.url) });
    await bench.announce(sender, { orderId: "A" });
    await deliverAll(sender);
    expect(await bench.newestDelivery()).toMatchObject({ state: "pending", failures: 1 });
    expect(await bench.attempts((await bench.newestDelivery()).id)).toMatchObject([
      { outcome: "failed", httpStatus: null, errorCode: "sender.token_unavailable" },
    ]);

    tokenEndpoint.behaviour = granting("granted");
    await bench.recipients.changeRecipient(recipientId, { authorization: authorization() });
    bench.pass(5_000);
    await deliverAll(sender);
    expect(await bench.newestDelivery()).toMatchObject({ state: "delivered", attempts: 2 });
  });

  test.each<[string, string]>([
    ["for no time at all", `"expires_in":0`],
    ["for a time as text", `"expires_in":"3600"`],
    ["for half a second", `"expires_in":0.5`],
    ["for a thousand years", `"expires_in":31536000000`],
    ["without saying for how long", `"scope":"x"`],
    ["for null", `"expires_in":null`],
  ])("that grants %s is taken at its word", async (_what, members) => {
    tokenEndpoint.behaviour = granting("granted", members);
    const delivered: Expected = { outcome: "delivered", httpStatus: 200, errorCode: null, next: { kind: "delivered" } };
    await hostile.meets(acknowledges, delivered, { recipient: { authorization: authorization() } });
  });
});

describe("a recipient that revokes access tokens", () => {
  const rejectsFirst = (count: number): Behaviour => {
    let rejected = 0;
    return {
      onRequest: (socket, request) => {
        rejected += 1;
        if (rejected <= count) socket.write(rawResponse(401, `{"error":"invalid_token"}`));
        else acknowledges.onRequest!(socket, request);
      },
    };
  };

  test("once is sent the delivery again at once with a fresh token", async () => {
    tokenEndpoint.behaviour = numberedTokens();
    const delivered: Expected = { outcome: "delivered", httpStatus: 200, errorCode: null, next: { kind: "delivered" } };
    const { attempts } = await hostile.meets(rejectsFirst(1), delivered, {
      recipient: { authorization: authorization() },
    });
    expect(attempts).toBe(2);
    expect(tokenEndpoint.requests).toHaveLength(2);
    expect(hostile.receiver.requests.slice(0, 2).map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer granted-1",
      "Bearer granted-2",
    ]);
  });

  test("twice is tried again by the schedule, as after one failure", async () => {
    tokenEndpoint.behaviour = numberedTokens();
    const rejected: Expected = {
      outcome: "refused",
      httpStatus: 401,
      errorCode: "sender.token_rejected",
      next: firstWait,
    };
    const { attempts } = await hostile.meets(rejectsFirst(2), rejected, {
      recipient: { authorization: authorization() },
    });
    expect(attempts).toBe(3);
  });
});

/** The recipient itself is well. */
const notAsked = acknowledges;

function numberedTokens(): Behaviour {
  return {
    onRequest: (socket, request) => granting(`granted-${tokenEndpoint.requests.length}`).onRequest!(socket, request),
  };
}
