import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { faultKinds } from "../../src/gateway/fault-kinds.ts";
import { scenarios } from "../../src/gateway/scenarios/scenarios.ts";
import { type GatewaySide, startGatewaySide } from "../harness/gateway-side.ts";
import { acknowledge, respondWith, startReceiver } from "../integration/sender/scripted-receiver.ts";
import { type CliOptions, type CliRun, runCaptured } from "../unit/cli/captured-terminal.ts";

// Servers start, and what a killed process held runs out, in real time, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let gateway: GatewaySide;
beforeAll(async () => {
  gateway = await startGatewaySide({ ordering: "every" });
});
afterAll(() => gateway?.close());

interface Summary {
  readonly orders: number;
  readonly faults: number;
  readonly changes: number;
  readonly refused: number;
  readonly notifications: Readonly<Record<"acknowledged" | "pending" | "superseded" | "dead", number>>;
  readonly stopped: boolean;
}

describe("skedchange scenario", () => {
  test("lists every scenario", async () => {
    const { exitCode, stdout } = await runCaptured(["scenario", "--list"]);

    expect(exitCode).toBe(0);
    for (const { name, summary } of scenarios) {
      expect(stdout).toContain(name);
      expect(stdout).toContain(summary);
    }
  });

  const plain = scenarios.filter(({ name }) => name !== "misbehaving-gateway");
  test.each(plain.map(({ name }) => name))("plays %s, and every change of it is acknowledged", async (name) => {
    const before = gateway.receiver.posts.length;

    const { exitCode, stdout, stderr } = await play(name, "--orders", "12", "--json");

    expect({ exitCode, ends: stderr.includes("Error") }).toEqual({ exitCode: 0, ends: false });
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ orders: 12, faults: 0, refused: 0, stopped: false });
    expect(summary.changes).toBeGreaterThan(0);
    expect(summary.notifications).toEqual({ acknowledged: summary.changes, pending: 0, superseded: 0, dead: 0 });
    expect(gateway.receiver.posts.length - before).toBe(summary.changes);
  });

  test("plays misbehaving-gateway: faults are set, and those of notifications show in what is sent", async () => {
    const { stdout } = await play("misbehaving-gateway", "--json");

    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({ orders: faultKinds.length, faults: faultKinds.length, refused: 0 });
    expect(summary.changes).toBe(faultKinds.length + 1);
    // One is sent twice, and one not at all.
    expect(summary.notifications).toMatchObject({ acknowledged: summary.changes, pending: 0, dead: 0 });
    const { items } = await gateway.control<{ items: { mode: string }[] }>("GET", "/faults");
    expect(items.length).toBeGreaterThan(0);
    await gateway.control("DELETE", "/faults");
  });

  test("prints what happens, and sums it up", async () => {
    const { stdout } = await play("flapping-flight", "--seed", "story1", "--orders", "3");

    expect(stdout).toMatch(/^flapping-flight, seed story1: /);
    expect(stdout).toMatch(/^BA\d+ LHR-[A-Z]{3} is back at its first time {2}\(3 orders\)$/m);
    expect(stdout).toMatch(/^orders made +3$/m);
    expect(stdout).toMatch(/^changes +27$/m);
    expect(stdout).toMatch(/^notifications acknowledged +27$/m);
    expect(stdout).toMatch(/^notifications pending +0$/m);
  });

  test("refuses a seed that was played already, and changes nothing", async () => {
    await play("calm-day", "--seed", "twice", "--orders", "4");
    const before = gateway.receiver.posts.length;

    const { exitCode, stderr } = await play("calm-day", "--seed", "twice", "--orders", "4");

    expect(exitCode).toBe(1);
    expect(stderr).toContain("was played with the seed twice already (order CALM-twice-0001). Give another --seed.");
    expect(gateway.receiver.posts).toHaveLength(before);
  });

  test("ends at Ctrl-C after the step under way, sums up what has happened, and exits with 130", async () => {
    let interrupt: () => void = () => {};
    const { exitCode, stdout } = await play("flapping-flight", "--orders", "2", "--pace", "0.1", {
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => {};
      },
      onOutput: (text) => {
        if (text.includes("minutes later")) interrupt();
      },
    });

    expect(exitCode).toBe(130);
    expect(stdout).toContain("Stopped. What has happened so far:");
    expect(stdout).toMatch(/^changes +2$/m);
  });

  test("reports that nobody is notified when there is no recipient", async () => {
    const { items } = await gateway.control<{ items: { id: string }[] }>("GET", "/recipients");
    for (const { id } of items) await gateway.control("DELETE", `/recipients/${id}`);

    const { exitCode, stdout } = await play("calm-day", "--orders", "4");

    expect(exitCode).toBe(0);
    expect(stdout).toContain("There is no recipient, so no notification was sent");
  });
});

describe("skedchange scenario does not start", () => {
  test.each<[string, string[], number, string]>([
    ["without a name", [], 2, "Name a scenario: calm-day, "],
    ["with a name that is none", ["sunny-day"], 2, "There is no scenario sunny-day. There are: calm-day, "],
    ["with more orders than it makes", ["calm-day", "--orders", "2001"], 2, "calm-day makes at most 2000 orders."],
    ["with a pace that is none", ["calm-day", "--pace", "0"], 2, "Give steps a second"],
    ["with a seed that cannot be part of an id", ["calm-day", "--seed", "a b"], 2, "letters or digits"],
  ])("%s", async (_, args, code, text) => {
    const { exitCode, stderr } = await runCaptured(["scenario", ...args]);

    expect(exitCode).toBe(code);
    expect(stderr).toContain(text);
  });

  test("with a wrong token", async () => {
    const { exitCode, stderr } = await runCaptured(["scenario", "calm-day", "--url", gateway.url, "--token", "wrong"]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain("does not accept the token. Set GATEWAY_CONTROL_TOKEN as the gateway has it");
  });

  test("where nothing listens", async () => {
    const gone = await startReceiver();
    await gone.close();

    const { exitCode, stderr } = await runCaptured(["scenario", "calm-day", "--url", new URL(gone.url).origin]);

    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Nothing listens at ${new URL(gone.url).origin}. Start the gateway`);
  });

  test.each([
    ["acknowledges everything", acknowledge],
    ["knows no such path", respondWith(404, '{"code":"http.no_such_route","detail":"There is nothing here."}')],
    ["asks for other credentials", respondWith(401, '{"code":"api.not_authorized","detail":"Sign in."}')],
  ])("at an address that is no gateway but %s", async (_, script) => {
    const other = await startReceiver(script);
    try {
      const { exitCode, stderr } = await runCaptured(["scenario", "calm-day", "--url", new URL(other.url).origin]);

      expect(exitCode).toBe(1);
      expect(stderr).toContain("Is it the address of the gateway side (port 4000)?");
    } finally {
      await other.close();
    }
  });
});

/** Plays as fast as it goes, with the token in the environment, unless told otherwise. */
function play(...args: (string | CliOptions)[]): Promise<CliRun> {
  const given = args.filter((arg): arg is string => typeof arg === "string");
  const options = args.find((arg): arg is CliOptions => typeof arg === "object");
  const pace = given.includes("--pace") ? [] : ["--pace", "max"];
  return runCaptured(["scenario", ...given, ...pace, "--url", gateway.url], {
    environment: { GATEWAY_CONTROL_TOKEN: gateway.controlToken },
    ...options,
  });
}
