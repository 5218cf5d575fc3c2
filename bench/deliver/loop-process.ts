// Posts so many notifications, some at a time, with the headers of the product, and nothing else.
import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { mixedNotifications } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";

interface Target {
  readonly url: string;
  readonly token: string;
  readonly client: "fetch" | "undici";
  readonly atOnce: number;
}

interface Orders {
  readonly first: number;
  readonly count: number;
}

const bodies = mixedNotifications();
let atOnce = 1;
/** Responds with the status and the body. */
let post: (headers: Record<string, string>, body: Buffer) => Promise<readonly [number, string]>;

const calls = {
  open({ url, token, client, ...target }: Target): void {
    atOnce = target.atOnce;
    const authorization = `Bearer ${token}`;
    if (client === "fetch") {
      post = async (headers, body) => {
        const response = await fetch(url, { method: "POST", headers: { ...headers, authorization }, body });
        return [response.status, await response.text()];
      };
      return;
    }
    const { origin, pathname } = new URL(url);
    const pool = new Pool(origin, { connections: atOnce });
    post = async (headers, body) => {
      const request = { method: "POST", path: pathname, headers: { ...headers, authorization }, body } as const;
      const response = await pool.request(request);
      return [response.statusCode, await response.body.text()];
    };
  },

  async run({ first, count }: Orders): Promise<void> {
    let next = first;
    const work = async (): Promise<void> => {
      while (next < first + count) {
        const [status, text] = await post(headersNow(), bodies.bodyOf(next++));
        if (status !== 200 || !text.includes('"OK"'))
          throw new Error(`The recipient responded with ${status}: ${text}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  },
};

function headersNow(): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "Skedchange-OCN-Sender",
    "webhook-id": randomUUID(),
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
  };
}

export type LoopCalls = typeof calls;
serveCalls(calls);
