import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeRequestSchema } from "../../../src/gateway/change-request.ts";
import { InvalidRequest } from "../../../src/gateway/control-routes.ts";
import { runCaptured } from "./captured-terminal.ts";

/** Refuses changes as the control routes do. */
let gateway: Server;
let url: string;

beforeAll(async () => {
  gateway = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { error } = changeRequestSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
    const { code, message, problems } = new InvalidRequest(error!);
    response.writeHead(422, { "Content-Type": "application/problem+json" });
    response.end(JSON.stringify({ title: "Invalid request", code, detail: message, problems }));
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(() => void gateway.close());

describe("a change that skedchange trigger cannot make", () => {
  test.each([
    [["duration"], "durationMinutes: is missing", "--set durationMinutes=130"],
    [["renumber"], "flightNumber: is missing", "--set flightNumber=1169"],
    [["fare"], "must name the rbd, the cabin or both", "--set cabin=Economy"],
    [
      ["carrier", "--set", "operatingcarrier=EN", "--set", "carrier=LH"],
      "operatingcarrier: is not known here",
      "--set operatingCarrier=EN",
    ],
    [["stops", "--set", "stops=two"], "stops: must be a number", "--set stops=1"],
    [["duration", "--set", "durationMinutes=0"], "durationMinutes: must be at least 1", "--set durationMinutes=130"],
  ])("is refused with what is wrong and what it takes: %j", async ([kind = "", ...options], problem, takes) => {
    expect(await runCaptured(["trigger", kind, "A1", ...options, "--url", url])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `Error: ${problem}.\nWhat ${kind} takes: ${takes}\n`,
    });
  });
});
