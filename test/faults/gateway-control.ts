import { setTimeout as sleep } from "node:timers/promises";

/** The control routes of a gateway that may be killed at any time. */
export interface GatewayControl {
  /** Tries until the gateway has responded; returns the body, or null when the gateway refused (4xx). */
  call<Body>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Body | null>;
}

const responseMs = 10_000;

/** @param port where the gateway listens now; null while it does not. */
export function createGatewayControl(token: string, port: () => number | null): GatewayControl {
  return {
    async call<Body>(method: string, path: string, body?: object): Promise<Body | null> {
      for (;;) {
        const now = port();
        try {
          if (now === null) throw new Error("the gateway is away");
          const response = await fetch(`http://127.0.0.1:${now}/control${path}`, {
            method,
            headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
            signal: AbortSignal.timeout(responseMs),
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          const text = await response.text();
          if (response.ok) return (text === "" ? {} : JSON.parse(text)) as Body;
          if (response.status < 500 && response.status !== 429) return null;
        } catch {
          // Killed, or its database is away: what was asked may have happened or not, as with every gateway.
        }
        await sleep(100);
      }
    },
  };
}
