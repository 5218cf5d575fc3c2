import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/contract/operations/registry.ts";
import { exampleOf } from "../builders/examples.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { freePort } from "../harness/free-port.ts";
import { makeTestFolder } from "../harness/test-folder.ts";

const examples = fileURLToPath(new URL("../../examples/python", import.meta.url));
const status = exampleOf(operations.AirReservationStatus).response;

describe("examples/python/accept.py says why nothing was accepted", () => {
  const responses = new Map<string, { readonly status: number; readonly body: unknown }>();
  const gateway = createServer((request, response) => {
    request.resume();
    const { status, body } = responses.get(request.url ?? "") ?? { status: 404, body: {} };
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  beforeAll(async () => {
    gateway.listen(0, "127.0.0.1");
    await once(gateway, "listening");
  });
  afterEach(() => responses.clear());
  afterAll(async () => {
    gateway.close();
    await once(gateway, "close");
  });
  const url = () => `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;

  test("in the words of the gateway, if it reports FAILED", async () => {
    const failed = { OrderID: "MINE1", Status: "FAILED", ErrorMsg: "Nothing to accept." };
    responses.set("/AirReservationStatus", { status: 200, body: status });
    responses.set("/AirOrderInvoluntaryAccept", {
      status: 200,
      body: { OrderInvoluntaryAcceptRS: { Success: {}, Result: [failed] } },
    });

    expect(await accept(url())).toMatchObject({ stdout: "accept: FAILED Nothing to accept.\n" });
  });

  test("with the errors of a response, whatever its status", async () => {
    const errors = { OrderViewRS: { Errors: { Error: { Code: "29", ShortText: "No such order." } } } };
    for (const code of [200, 400]) {
      responses.set("/AirReservationStatus", { status: code, body: errors });
      const ended = await accept(url());
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toMatch(/^AirReservationStatus was refused.*No such order\..*\n$/);
    }
  });

  test("in one line, if the gateway cannot be reached", async () => {
    const ended = await accept(`http://127.0.0.1:${await freePort()}`);

    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^AirReservationStatus got no response that can be read: .*refused.*\n$/);
  });
});

test("examples/python/receive.py acknowledges an order and refuses what it cannot read", async () => {
  const folder = await makeTestFolder();
  const port = await freePort();
  const receiver = spawn("python3", [`${examples}/receive.py`], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
  });
  const push = async (body: string) => {
    const headers = { Authorization: "Bearer my-token" };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers });
    return { status: response.status, body: await response.json() };
  };
  try {
    await once(receiver.stdout, "data");

    expect(await push(JSON.stringify(sampleNotification("minor-delay")))).toMatchObject({
      status: 200,
      body: { AcknowledgeResponse: { Status: "OK" } },
    });
    for (const unreadable of ["", "[]", '{"OrderViewRS":{}}', '{"OrderViewRS":{"Order":[]}}']) {
      expect((await push(unreadable)).status).toBe(422);
    }
  } finally {
    await end(receiver);
    await rm(folder, { recursive: true, force: true });
  }
});

async function accept(gatewayUrl: string) {
  const env = { ...process.env, GATEWAY_URL: gatewayUrl };
  return await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile("python3", [`${examples}/accept.py`], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    ),
  );
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  await once(child, "exit");
}
