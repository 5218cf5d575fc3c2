// graphile-worker: a job in PostgreSQL for each order, which is repeated whole after a crash. It stores no decision.
import { serveCalls } from "../remote-process.ts";
import { acceptChange, callByFetch } from "./gateway-calls.ts";
import { acceptNotifications, loadPeer, type PeerCalls } from "./peer-endpoint.ts";

interface GraphileWorker {
  readonly Logger: new (factory: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(task: string, payload: object): Promise<unknown>;
  }>;
  run(options: object): Promise<unknown>;
}

const calls: PeerCalls = {
  async open({ url, databaseUrl: connectionString, atOnce, packages }) {
    const { Logger, makeWorkerUtils, run } = loadPeer<GraphileWorker>(packages, "graphile-worker");
    const logger = new Logger(() => () => undefined);
    const utils = await makeWorkerUtils({ connectionString, logger });
    await utils.migrate();
    const call = callByFetch(url);
    await run({
      connectionString,
      logger,
      concurrency: atOnce,
      maxPoolSize: 20,
      noHandleSignals: true,
      taskList: { accept: async ({ order }: { readonly order: number }) => await acceptChange(call, order) },
    });
    return await acceptNotifications((order, notification) => utils.addJob("accept", { order, notification }));
  },
};
serveCalls(calls);
