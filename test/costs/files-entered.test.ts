import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleNotification } from "../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { createScriptedGateway } from "../harness/scripted-gateway.ts";
import { createWorkerUnderTest } from "../harness/worker.ts";

/** How many files somebody may have to read who wants to know what one automatic accept does. */
const filesMax = 42;
const counted = /\/src\/((?:worker|cases|store)\/.+)$/;

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test(`an automatic accept enters at most ${filesMax} files of worker, cases and store`, async () => {
  // What a process does once, such as building a statement, does not count.
  await (await acceptable("WARM"))();
  const accept = await acceptable("COUNTED");

  const entered = await filesEntered(accept);

  expect(entered).toContain("cases/next-step.ts");
  expect(entered.length <= filesMax ? [] : [`${entered.length} files are entered:`, ...entered]).toEqual([]);
});

/** An order with a change that rules accept, and the run that does so. */
async function acceptable(orderId: string): Promise<() => Promise<void>> {
  const body = sampleNotification("minor-delay", { orderId, reference: "REF" });
  const gateway = createScriptedGateway(body);
  const { worker, notify } = createWorkerUnderTest(db.database, gateway);
  await notify(body);
  return async () => {
    expect(await worker.workOn({ source: "default", orderId })).toBe("carried-out");
    expect(gateway.journal).toMatchObject([{ action: "accept" }]);
  };
}

/** The files of which a function is called meanwhile; that a module is loaded does not count. */
async function filesEntered(act: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await act();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Debugger.enable");
    const files = new Set<string>();
    for (const { url, scriptId, functions } of result) {
      const [, file] = counted.exec(url) ?? [];
      if (file === undefined) continue;
      const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
      const ownCode = startOfOwnCode(scriptSource);
      const isEntered = functions.some(({ ranges: [range] }) => range!.startOffset > ownCode && range!.count > 0);
      if (isEntered) files.add(file);
    }
    return [...files].sort();
  } finally {
    session.disconnect();
  }
}

/** Vitest begins a module with a function for each of its exports, by which other modules read it. */
function startOfOwnCode(source: string): number {
  const lastExport = source.lastIndexOf("__vite_ssr_exportName__(");
  return lastExport === -1 ? 0 : source.indexOf("\n", lastExport);
}
