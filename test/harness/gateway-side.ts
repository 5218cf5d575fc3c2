import { type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";
import { createTestDatabase } from "./database.ts";
import { startServerProcess } from "./server-process.ts";

/** The gateway side as a process of its own, on default settings, and a recipient for it. */
export interface GatewaySide {
  readonly url: string;
  readonly controlToken: string;
  /** Acknowledges what it is sent unless told otherwise. */
  readonly receiver: ScriptedReceiver;
  /** @throws Error when the response is not of the 200 kind */
  control<T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

/** Starts the roles gateway and sender, with one recipient that `rules` say more of. */
export async function startGatewaySide(rules: { readonly ordering: "latest" | "every" }): Promise<GatewaySide> {
  const controlToken = "control-of-the-tests";
  const db = await createTestDatabase();
  const receiver = await startReceiver();
  const server = await startServerProcess({
    DATABASE_URL: db.serviceUrl,
    DATABASE_OWNER_URL: db.ownerUrl,
    ROLES: "sender,gateway",
    GATEWAY_ACCESS_TOKEN: "access",
    GATEWAY_CONTROL_TOKEN: controlToken,
    // The recipient is on this machine, which is not how it is in earnest.
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_LEVEL: "warn",
  });
  const url = server.gatewayUrl;
  if (url === null) throw new Error(`no gateway side in:\n${server.output()}`);
  const side: GatewaySide = {
    url,
    controlToken,
    receiver,
    async control<T>(method: string, path: string, body?: object): Promise<T> {
      const response = await fetch(`${url}/control${path}`, {
        method,
        headers: { Authorization: `Bearer ${controlToken}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
      return (text === "" ? null : JSON.parse(text)) as T;
    },
    async close() {
      await server.end("SIGTERM");
      await receiver.close();
      await db.drop();
    },
  };
  const authorization = { type: "bearer", token: "the-recipients-own-token" };
  await side.control("POST", "/recipients", { name: "Example Travel", url: receiver.url, authorization, ...rules });
  return side;
}
