import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { runCaptured } from "./captured-terminal.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-reach-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a credential that no header can carry", () => {
  test.each([
    ["--token", ["cases", "--token", "secret\n4711"]],
    ["--token", ["cases", "--token", "secret…4711"]],
    ["--token", ["deliveries", "list", "--token", "secret\r\n4711"]],
    ["--bearer", ["send-ocn", "samples/ocn-minor-delay.json", "--bearer", "secret\n4711"]],
    ["--authorization", ["listen", "--forward-to", "http://127.0.0.1:9/", "--authorization", "Basic secret…4711"]],
  ])("is refused with the name of its option %s, without its value: %j", async (option, args) => {
    expect(await runCaptured(args)).toEqual({ exitCode: 1, stdout: "", stderr: refusal(option) });
  });

  test.each([
    ["API_TOKEN", ["cases"]],
    ["GATEWAY_CONTROL_TOKEN", ["trigger", "retime", "A1"]],
    ["GATEWAY_CONTROL_TOKEN", ["listen"]],
  ])("is refused with the name of its setting %s, or of the file's: %j", async (setting, args) => {
    const file = join(folder, "token");
    await writeFile(file, "# my token\nsecret-token-4711\n");

    const fromFile = await runCaptured(args, { environment: { [`${setting}_FILE`]: file } });
    const fromSetting = await runCaptured(args, { environment: { [setting]: "secret…4711" } });

    expect(fromFile).toEqual({ exitCode: 1, stdout: "", stderr: refusal(`${setting}_FILE`) });
    expect(fromSetting).toEqual({ exitCode: 1, stdout: "", stderr: refusal(setting) });
  });

  test("is refused with the name of OCN_BEARER_TOKENS", async () => {
    const environment = { OCN_BEARER_TOKENS: "secret…4711" };

    const run = await runCaptured(["send-ocn", "samples/ocn-minor-delay.json"], { environment });

    expect(run).toEqual({ exitCode: 1, stdout: "", stderr: refusal("OCN_BEARER_TOKENS") });
  });

  test.each([
    "http://user:secret-4711@127.0.0.1:9",
    "http://user:secret-4711@127.0.0.1:99999",
    "user:secret-4711@host",
  ])("is refused in a URL, without it: %s", async (url) => {
    for (const command of [["cases"], ["listen"], ["send-ocn", "samples/ocn-minor-delay.json"]]) {
      const { exitCode, stderr } = await runCaptured([...command, "--url", url]);

      expect(stderr).toMatch(/^Error: The URL of --url /);
      expect(stderr).not.toContain("secret");
      expect(exitCode).toBe(2);
    }
  });

  function refusal(from: string): string {
    return `Error: ${from} has a character that no header can carry, such as a line break or …. Correct it there.\n`;
  }
});

describe("a server that breaks off", () => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const closes = (response: ServerResponse): void => void response.destroy();
  const halves = (response: ServerResponse): void => {
    response.writeHead(201, { "Content-Type": "application/json", "Content-Length": "100" });
    response.write('{"id":', () => response.destroy());
  };
  const caseId = "019aa000-0000-7000-8000-000000000001";

  test.each([
    [["trigger", "retime", "A1"], "deliveries list --order A1"],
    [["recipients", "test", "1"], "recipients list"],
    [["events", "recipients", "test", "1"], "events recipients list"],
    [["tasks", "close", "1"], "tasks list --state all"],
    [["automation", "stop", "--note", "why"], "automation status"],
    [["send-ocn", "samples/ocn-minor-delay.json"], "cases"],
  ])("may have done what was asked: %j names the command that shows it", async (args, commandToCheck) => {
    for (const breaksOff of [closes, halves]) {
      const url = await serve(breaksOff);

      expect(await runCaptured([...args, "--url", url])).toEqual({
        exitCode: 1,
        stdout: "",
        stderr: `Error: ${url} broke off before its response was complete. The request may have been carried out. See: npx skedchange ${commandToCheck}\n`,
      });
    }
  });

  test("may have carried out the action of a case, whose id is named", async () => {
    const url = await serve((response, isRead) => {
      if (isRead) response.end(JSON.stringify({ id: caseId, orderId: "A1", state: "awaiting-agent", version: 1 }));
      else response.destroy();
    });

    const { stderr } = await runCaptured(["case", caseId, "--accept", "--url", url]);

    expect(stderr).toContain(`The request may have been carried out. See: npx skedchange case ${caseId}\n`);
  });

  test("has only to be asked again if nothing was to be changed", async () => {
    const url = await serve(halves);

    expect((await runCaptured(["cases", "--url", url])).stderr).toBe(
      `Error: ${url} broke off before its response was complete. Try again.\n`,
    );
  });

  test("is not confused with one that does not speak https", async () => {
    const url = (await serve(closes)).replace("http:", "https:");

    expect((await runCaptured(["cases", "--url", url])).stderr).toBe(
      `Error: ${url} does not speak https. Write the URL of --url with http.\n`,
    );
  });

  async function serve(respond: (response: ServerResponse, isRead: boolean) => void): Promise<string> {
    server?.close();
    server = createServer((request, response) => {
      request.resume();
      request.on("end", () => respond(response, request.method === "GET"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});
