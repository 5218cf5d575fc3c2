// A worker of its own that ends itself with SIGKILL at one step of an effect. It is started by `startCrashWorker` and told
// what to do by one line of JSON on its standard input, so that it is ready when the test is.
import { createInterface } from "node:readline";
import type { CaseTiming } from "../../src/cases/timing.ts";
import { createGatewayClient } from "../../src/client/gateway-client.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { accessToken, apiKey } from "../builders/running-gateway.ts";
import { createWorkerUnderTest } from "./worker.ts";

/** What the worker is to do. */
export interface CrashOrder {
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly orderId: string;
  /** Null: it works until it is killed. */
  readonly crashAt: string | null;
  readonly timing: CaseTiming;
}

async function work({ databaseUrl, gatewayUrl, orderId, crashAt, timing }: CrashOrder): Promise<void> {
  const database = openDatabase({
    url: databaseUrl,
    applicationName: "crash worker",
    encryptionKeys: [],
    maxConnections: 4,
    onError: (error) => console.error(String(error)),
  });
  const client = createGatewayClient({
    baseUrl: gatewayUrl,
    accessToken: new Secret(accessToken),
    apiKey: new Secret(apiKey),
    timeoutMs: timing.callMaxMs,
    retries: null,
  });
  const settings = { timing, holder: `crash worker ${process.pid}` };
  const worker = createWorkerUnderTest(database, client, settings, (point) => {
    if (point === crashAt) process.kill(process.pid, "SIGKILL");
  });
  for (;;) {
    await worker.work(orderId);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const input = createInterface({ input: process.stdin });
input.once("line", (line) => {
  work(JSON.parse(line) as CrashOrder).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// The test is gone.
input.once("close", () => process.exit(0));
