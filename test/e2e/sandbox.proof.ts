import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { eventually } from "../harness/eventually.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { type ScriptedReceiver, startReceiver } from "../integration/sender/scripted-receiver.ts";

const run = promisify(execFile);
const { gatewayAccessToken, gatewayApiKey, gatewayControlToken } = demoCredentials;

let folder: string;
let receiver: ScriptedReceiver;
let sandbox: ServerProcess;
beforeAll(async () => {
  folder = await makeTestFolder();
  receiver = await startReceiver();
  sandbox = await startServerProcess({ DATA_DIR: folder, GATEWAY_STRICT: "1" }, undefined, {
    entry: serverEntry,
    command: "sandbox",
  });
});
afterAll(async () => {
  await sandbox.end("SIGTERM");
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});

test("the sandbox says where it is, with which credentials, and what to try", async () => {
  await sandbox.waitFor("Stop with Ctrl-C.");

  for (const text of [sandbox.gatewayUrl!, gatewayAccessToken, gatewayApiKey, gatewayControlToken]) {
    expect(sandbox.output()).toContain(text);
  }
  expect(sandbox.output().match(/npx skedchange \w+/g)).toHaveLength(3);
});

test("an integrator books, receives the notification of a change, and is the only one to answer it", async () => {
  const authorization = { type: "bearer", token: "token-of-the-integrator" };
  await control("/recipients", { name: "Mine", url: receiver.url, authorization });
  const date = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const search = { journeys: [{ from: "LIS", to: "FRA", date }] };
  const { shoppingResponseId, offers } = await control<{ shoppingResponseId: string; offers: { offerId: string }[] }>(
    "/shopping-responses",
    search,
  );
  const offer = { shoppingResponseId, offerId: offers[0]!.offerId };
  const { orderId, gdsBookingReferences } = await control<{ orderId: string; gdsBookingReferences: string[] }>(
    "/orders",
    offer,
  );

  await control(`/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 15 });
  await eventually(() => expect(receiver.posts).toHaveLength(1));
  expect(receiver.posts[0]!.body.toString()).toContain(orderId);
  const Query = { OrderID: orderId, GdsBookingReference: gdsBookingReferences };
  // An agency of the demo would have accepted it by now: a change of a quarter of an hour is decided by a rule.
  const pending = await operate("AirReservationStatus", { OrderStatusRQ: { Query } });
  expect(pending).toContain('"ScheduleChangeStatus":"Initiated"');

  const accepted = await operate("AirOrderInvoluntaryAccept", { OrderInvoluntaryAcceptRQ: { Query } });

  expect(accepted).toContain('"Status":"SUCCESS"');
  expect(await operate("AirReservationStatus", { OrderStatusRQ: { Query } })).toContain(
    '"ScheduleChangeStatus":"Accepted"',
  );
  const { items } = (await (
    await fetch(`${sandbox.gatewayUrl}/control/journal?orderId=${orderId}`, { headers: controlHeaders })
  ).json()) as { items: { operation: string }[] };
  expect(items.map(({ operation }) => operation)).toEqual([
    "AirReservationStatus",
    "AirOrderInvoluntaryAccept",
    "AirReservationStatus",
  ]);
});

describe.each([
  ["curl", "sh", "examples/curl/accept.sh"],
  ["Python", "python3", "examples/python/accept.py"],
])("the example in %s, at a strict gateway,", (language, command, file) => {
  const orderId = `BY-${language}`;
  const example = (id: string): Promise<{ stdout: string }> =>
    run(command, [file, id, "MINEA1"], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
      env: { PATH: process.env["PATH"], GATEWAY_URL: sandbox.gatewayUrl! },
    });

  test("accepts a change", async () => {
    await control("/orders", { orderId, gdsBookingReferences: ["MINEA1"] });
    await control(`/orders/${orderId}/changes`, { kind: "retime", departureMinutes: 15 });

    expect((await example(orderId)).stdout).toContain("SUCCESS");
  });

  test("prints that nothing can be accepted, or the error of the gateway", async () => {
    await expect(example(orderId)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The airline does not allow an accept"),
    });
    await expect(example("NONE")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There is no order NONE."),
    });
  });
});

const controlHeaders = { Authorization: `Bearer ${gatewayControlToken}`, "Content-Type": "application/json" };

async function control<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`${sandbox.gatewayUrl}/control${path}`, {
    method: "POST",
    headers: controlHeaders,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as T;
}

async function operate(operation: string, body: object): Promise<string> {
  const response = await fetch(`${sandbox.gatewayUrl}/${operation}`, {
    method: "POST",
    headers: {
      Authorization: gatewayAccessToken,
      "x-api-key": gatewayApiKey,
      "Content-Type": "application/json",
      Prefer: "handling=lenient",
    },
    body: JSON.stringify(body),
  });
  return await response.text();
}
