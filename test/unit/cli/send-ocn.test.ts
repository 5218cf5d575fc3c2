import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { acknowledgeResponse } from "../../../src/contract/acknowledgement.ts";
import { runCaptured } from "./captured-terminal.ts";

let server: Server;
let url: string;
let folder: string;
let received: { headers: IncomingHttpHeaders; body: Buffer }[];
let scripted: { status: number; body: string; headers?: Record<string, string> };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-cli-"));
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(scripted.status, { "Content-Type": "application/json", ...scripted.headers }).end(scripted.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocn`;
});
afterAll(async () => {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  received = [];
  scripted = { status: 200, body: JSON.stringify(acknowledgeResponse()) };
});

async function aFile(content: string | Buffer): Promise<string> {
  const file = join(folder, "ocn.json");
  await writeFile(file, content);
  return file;
}

describe("skedchange send-ocn", () => {
  test("posts the bytes of the file as they are and prints the acknowledgement", async () => {
    const bytes = Buffer.from('{"OrderViewRS" :\r\n {"x": "é"} }\n');

    const { exitCode, stdout } = await runCaptured(["send-ocn", await aFile(bytes), "--url", url]);

    expect(exitCode).toBe(0);
    expect(received[0]!.body.equals(bytes)).toBe(true);
    expect(received[0]!.headers["content-type"]).toBe("application/json");
    expect(stdout).toContain("Acknowledged (200):");
    expect(stdout).toContain("Involuntary schedule change response received");
  });

  test("reads standard input for -", async () => {
    const { exitCode } = await runCaptured(["send-ocn", "-", "--url", url], { stdin: '{"a":1}' });

    expect(exitCode).toBe(0);
    expect(received[0]!.body.toString()).toBe('{"a":1}');
  });

  test.each([
    ["--basic", ["--basic", "user:pass:wörd"], {}, basic("user:pass:wörd")],
    ["--bearer", ["--bearer", "abc"], {}, "Bearer abc"],
    ["the settings", [], { OCN_BASIC_USERNAME: "u", OCN_BASIC_PASSWORD: "p" }, basic("u:p")],
    ["the first bearer token of the settings", [], { OCN_BEARER_TOKENS: "scrypt$x  t1 t2" }, "Bearer t1"],
    ["the demo", [], {}, basic("demo:demo: pässword")],
  ])("uses the credentials of %s", async (_, args, environment, authorization) => {
    await runCaptured(["send-ocn", await aFile("{}"), "--url", url, ...args], { environment });

    expect(received[0]!.headers.authorization).toBe(authorization);
  });

  test("asks for credentials when the settings hold hashes only", async () => {
    const environment = { OCN_BASIC_USERNAME: "u", OCN_BASIC_PASSWORD: "scrypt$N=1,r=1,p=1$a$b" };

    const { exitCode, stderr } = await runCaptured(["send-ocn", await aFile("{}"), "--url", url], { environment });

    expect(exitCode).toBe(1);
    expect(stderr).toContain("The settings hold only hashes of the credentials. Give --basic or --bearer.");
    expect(received).toEqual([]);
  });

  test("prints the problem with its path and ends with 1", async () => {
    scripted = {
      status: 422,
      body: JSON.stringify({
        title: "Unusable",
        detail: "There is no OrderID.",
        code: "ocn.x",
        path: "/OrderViewRS/Order",
      }),
    };

    const { exitCode, stdout, stderr } = await runCaptured(["send-ocn", await aFile("{}"), "--url", url]);

    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      "Not acknowledged (422): Unusable. There is no OrderID.\n  at /OrderViewRS/Order of the body\n",
    );
  });

  test.each([
    ["200 without an acknowledgement", { status: 200, body: "{}" }, "the response is JSON but no acknowledgement"],
    ["200 with a page", { status: 200, body: "<html>" }, "the response is not JSON"],
    [
      "a status that is not OK",
      { status: 200, body: '{"AcknowledgeResponse":{"Status":"NOK"}}' },
      "no acknowledgement",
    ],
    ["a redirect", { status: 302, body: "", headers: { Location: "http://127.0.0.1:9/" } }, "Not acknowledged (302)"],
    ["an acknowledgement under an error", { status: 500, body: JSON.stringify(acknowledgeResponse()) }, "(500)"],
  ])("does not take %s for one", async (_, given, text) => {
    scripted = given;

    const { exitCode, stderr } = await runCaptured(["send-ocn", await aFile("{}"), "--url", url]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(text);
  });

  test("says which file cannot be read", async () => {
    const { exitCode, stderr } = await runCaptured(["send-ocn", join(folder, "missing.json"), "--url", url]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("missing.json cannot be read: ENOENT");
  });

  test("never prints a credential", async () => {
    scripted = { status: 401, body: JSON.stringify({ title: "Unauthorised", detail: "Wrong credentials." }) };

    const { stdout, stderr } = await runCaptured([
      "send-ocn",
      await aFile("{}"),
      "--url",
      url,
      "--basic",
      "u:TOPSECRET",
    ]);

    expect(stderr).toBe(
      "Not acknowledged (401): the credentials are not accepted there. Give those of the gateway with --basic or --bearer.\n",
    );
    expect(stdout + stderr).not.toContain("TOPSECRET");
    expect(stdout + stderr).not.toContain(Buffer.from("u:TOPSECRET").toString("base64"));
  });
});

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString("base64")}`;
}
