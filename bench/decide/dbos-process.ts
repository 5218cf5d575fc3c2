// DBOS Transact: a workflow in PostgreSQL for each order, whose four steps are recorded with their responses after they ran.
import { serveCalls } from "../remote-process.ts";
import { type CallGateway, callByFetch, type GatewayOperation } from "./gateway-calls.ts";
import { acceptNotifications, loadPeer, type PeerCalls } from "./peer-endpoint.ts";

interface Dbos {
  setConfig(config: object): void;
  registerWorkflow<Run>(run: Run, options: object): Run;
  runStep<Result>(step: () => Promise<Result>, options: object): Promise<Result>;
  launch(): Promise<void>;
  registerQueue(name: string, options: object): Promise<unknown>;
  startWorkflow<Parameters extends readonly unknown[]>(
    run: (...parameters: Parameters) => Promise<unknown>,
    options: object,
  ): (...parameters: Parameters) => Promise<unknown>;
}

const calls: PeerCalls = {
  async open({ url, databaseUrl, atOnce, packages }) {
    const { DBOS } = loadPeer<{ readonly DBOS: Dbos }>(packages, "@dbos-inc/dbos-sdk");
    const call: CallGateway = callByFetch(url);
    const step = (name: string, operation: GatewayOperation, order: number) =>
      DBOS.runStep(() => call(operation, order), { name });
    const accept = DBOS.registerWorkflow(
      async (order: number, _notification: string) => {
        await step("status", "AirReservationStatus", order);
        const { OrderInvoluntaryAcceptRS: accepted } = await step("accept", "AirOrderInvoluntaryAccept", order);
        if (accepted?.Result[0]?.Status !== "SUCCESS") throw new Error(`Order ${order} was not accepted.`);
        await step("status after", "AirReservationStatus", order);
        await step("documents", "AirDocRetreive", order);
      },
      { name: "accept" },
    );
    DBOS.setConfig({
      name: "peer",
      systemDatabaseUrl: databaseUrl,
      systemDatabasePoolSize: 20,
      logLevel: "error",
      runAdminServer: false,
    });
    await DBOS.launch();
    await DBOS.registerQueue("orders", { workerConcurrency: atOnce, minPollingIntervalMs: 20 });
    return await acceptNotifications((order, notification) =>
      DBOS.startWorkflow(accept, { workflowID: `order-${order}`, queueName: "orders" })(order, notification),
    );
  },
};
serveCalls(calls);
