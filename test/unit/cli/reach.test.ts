import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
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
