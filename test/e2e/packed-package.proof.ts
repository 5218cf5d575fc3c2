import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accessToken, apiKey } from "../builders/gateway-credentials.ts";
import { type RunningGateway, startGateway } from "../builders/running-gateway.ts";
import { sampleNotification } from "../builders/sample-notification.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { freePort } from "../harness/free-port.ts";
import { npm, type PackedPackage, packFolder, packProject } from "../harness/pack-package.ts";
import { startServerProcess } from "../harness/server-process.ts";

// Packing, installing, compiling, and a demo that makes its database first.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
let folder: string;
let agency: string;
let program: string;
let skedchange: PackedPackage;
let client: PackedPackage;
let db: TestDatabase;
let gateway: RunningGateway;
let broughtAlong: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-packed-"));
  await run(process.execPath, [join(root, "scripts", "build-client.js")]);
  // `dist` is there and newer than `src`; building it again would take it from the tests that run it.
  skedchange = await packProject(folder);
  client = await packFolder(join(root, "packages", "client"), folder);
  [agency, program] = await Promise.all([installed("agency", skedchange), installed("program", client)]);
  broughtAlong = (await readdir(join(program, "node_modules"))).filter((name) => !name.startsWith("."));
  await npm(program, ["install", "--no-save", ...quietly, `typescript@${oldest}`, `@types/node@${nodeTypes}`]);
  db = await createTestDatabase();
  gateway = await startGateway(db);
  const order = { orderId: "MINE1", gdsBookingReferences: ["MINEA1"] };
  expect((await gateway.control("POST", "/orders", order)).status).toBe(201);
}, 240_000);
afterAll(async () => {
  await gateway?.close();
  await db?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("the packed package", () => {
  test("holds what runs, its samples, examples and papers, and nothing of what it is developed with", () => {
    const paths = skedchange.files.map(({ path }) => path);
    const others = paths.filter((path) => !path.startsWith("bin/") && !path.startsWith("dist/"));

    expect(others.filter((path) => !/^(samples|examples|deploy\/(postgres|systemd))\//.test(path)).toSorted()).toEqual([
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "SECURITY.md",
      "package.json",
    ]);
    expect(paths).toContain("dist/cli/main.js");
    expect(paths.filter((path) => path.endsWith(".map"))).toEqual([]);
    expect(skedchange.unpackedSize).toBeLessThan(12_000_000);
  });

  test("gives the command that its texts name", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

    const { stdout } = await npm(agency, ["exec", "--offline", "--no", "--", "skedchange", "--version"]);
    expect(stdout).toContain(version);
  });

  test("starts the demo from an empty folder and names a sample that is there", async () => {
    const server = await startServerProcess({ DATA_DIR: join(folder, "data") }, 120_000, {
      cwd: agency,
      entry: join(agency, "node_modules/skedchange/bin/skedchange.js"),
    });
    try {
      await server.waitFor("Stop with Ctrl-C", 90_000);

      expect(server.output()).toMatch(/DEMO20LH\s+LH1167 LIS-FRA/);
      expect((await fetch(`${server.agencyUrl}/`)).status).toBe(200);
      const sample = /npx skedchange send-ocn (?<path>\S+)/.exec(server.output())?.groups?.["path"];
      expect(existsSync(join(agency, sample ?? ""))).toBe(true);
    } finally {
      expect((await server.end("SIGTERM")).code).toBe(0);
    }
  });

  test("decides as docs/client.md shows", async () => {
    await compile(agency, { decide: exampleWith("decide(") });
    await changeOrder();

    // The limit is another one from thirty days before departure on, which is when the order departs.
    expect(await runExample(agency, "decide")).toMatch(
      /^decided: accept by small-retiming LH1167 LIS-FRA departs and arrives 15 min later; limit (45|60) min\. Nothing else important changed\.\nlater by: \{ known: true, value: 15 \}\n$/,
    );
  });
});

describe("the project itself", () => {
  test("has the command at once, without a copy of the project in npm's cache", async () => {
    const cache = join(folder, "cache");

    const { stdout } = await npm(root, ["exec", "--cache", cache, "--no", "--", "skedchange", "--help"]);

    expect(stdout).toContain("Usage: skedchange");
    expect(existsSync(join(cache, "_npx"))).toBe(false);
  });
});

describe("the packed client", () => {
  test("is smaller than a megabyte, and brings undici and zod alone", () => {
    const others = client.files.map(({ path }) => path).filter((path) => !path.startsWith("dist/"));

    expect(others.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
    expect(client.unpackedSize).toBeLessThan(1_000_000);
    expect(broughtAlong.toSorted()).toEqual(["@skedchange", "undici", "zod"]);
  });

  describe("compiled with the examples of docs/client.md", () => {
    beforeAll(() =>
      compile(program, {
        accept: exampleWith("airOrderInvoluntaryAccept"),
        receive: exampleWith("readNotification"),
        readme: examplesOf("packages/client/README.md")[0]!,
        types: `
          import { createGatewayClient, Secret } from "@skedchange/client";
          const client = createGatewayClient({ baseUrl: "http://127.0.0.1:1", accessToken: new Secret("x") });
          const { result } = await client.airReservationStatus({ orderId: "A", gdsBookingReferences: ["B"] });
          export const ids: readonly (string | null)[] = result.orders.map((order) => order.orderId);
          const offers = await client.airOfferPrice({ shoppingResponseId: "1", offerIds: ["1"], passengers: [] });
          export const price: string | undefined = offers.result.pricedOffer[0]?.totalPrice?.bookingCurrencyPrice;
          // @ts-expect-error the references are missing
          await client.airReservationStatus({ orderId: "A" });
          // @ts-expect-error an order has no such member
          result.orders[0]?.noSuchMember;
          // @ts-expect-error an offer has no such member
          offers.result.pricedOffer[0]?.noSuchMember;`,
      }),
    );

    test("accepts a change", async () => {
      await changeOrder();

      expect(await runExample(program, "accept")).toBe("accept: SUCCESS \n");
    });

    test.each([
      ["a wrong token", { GATEWAY_TOKEN: "wrong" }, /^refused: AirReservationStatus was refused.*401/],
      [
        "a gateway that is down",
        { GATEWAY_URL: "http://127.0.0.1:1" },
        /^not sent: AirReservationStatus .*no connection/,
      ],
    ])("says in a sentence that %s is why nothing was accepted", async (_, settings, sentence) => {
      const ended = runExample(program, "accept", settings);

      await expect(ended).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(sentence) });
    });

    test("receives and acknowledges notifications", async () => {
      const port = await freePort();
      const env = { ...process.env, PORT: String(port) };
      const receiver = spawn(process.execPath, ["receive.js"], { cwd: program, env });
      try {
        await once(receiver.stdout, "data");
        const send = (body: string, token = "my-token") =>
          fetch(`http://127.0.0.1:${port}/ocn`, {
            method: "POST",
            body,
            headers: { Authorization: `Bearer ${token}` },
          });

        const received = await send(JSON.stringify(sampleNotification("minor-delay")));
        expect([received.status, await received.json()]).toMatchObject([
          200,
          { AcknowledgeResponse: { Status: "OK" } },
        ]);
        expect((await send("{}")).status).toBe(422);
        expect((await send("{}", "wrong")).status).toBe(401);
      } finally {
        receiver.kill();
        await once(receiver, "exit");
      }
    });
  });
});

/** The oldest compiler that docs/client.md names, and the types of the oldest Node.js. */
const oldest = "5.0.4";
const nodeTypes = "20.19.30";
const quietly = ["--prefer-offline", "--no-audit", "--no-fund"];

/** An empty folder, but for the package. */
async function installed(name: string, { filename }: PackedPackage): Promise<string> {
  const where = join(folder, name);
  await mkdir(where);
  await writeFile(join(where, "package.json"), JSON.stringify({ type: "module" }));
  await npm(where, ["install", join(folder, filename), "--omit=dev", ...quietly]);
  return where;
}

async function changeOrder(): Promise<void> {
  const change = { kind: "retime", departureMinutes: 15 };
  expect((await gateway.control("POST", "/orders/MINE1/changes", change)).status).toBe(201);
}

function exampleWith(word: string): string {
  const [example, ...others] = examplesOf("docs/client.md").filter((code) => code.includes(word));
  expect(others).toEqual([]);
  return example!;
}

function examplesOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/```ts\n(?<code>[\s\S]*?)```/g)].map((match) => match.groups!["code"]!);
}

async function runExample(where: string, name: string, settings: Record<string, string> = {}): Promise<string> {
  const given = { GATEWAY_URL: gateway.url, GATEWAY_TOKEN: accessToken, GATEWAY_KEY: apiKey, ...settings };
  const env = { ...process.env, ...given };
  const { stdout } = await run(process.execPath, [`${name}.js`], { cwd: where, env });
  return stdout;
}

/** By the oldest compiler, which writes what is run, and by ours, which also checks the declarations of the packages. */
async function compile(where: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const files = Object.keys(programs).map((name) => `${name}.ts`);
  await Promise.all(Object.entries(programs).map(([name, code]) => writeFile(join(where, `${name}.ts`), code)));
  const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  const types = ["--typeRoots", join(program, "node_modules/@types")];
  const by = async (compiler: string, ...more: string[]) => {
    const tsc = join(compiler, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, ...options, ...types, ...more, ...files], {
      cwd: where,
    }).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe("");
  };
  await by(program, "--skipLibCheck");
  await by(root, "--noEmit");
}
