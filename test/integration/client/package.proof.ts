import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

/**
 * The package as another program sees it: built into a folder of its own, found by its name, through the `exports` and
 * `types` of package.json.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const tsc = join(root, "node_modules/typescript/bin/tsc");
const run = promisify(execFile);
let program: string;

beforeAll(async () => {
  program = await mkdtemp(join(tmpdir(), "skedchange-client-"));
  const installed = join(program, "node_modules/skedchange");
  await mkdir(installed, { recursive: true });
  await copyFile(join(root, "package.json"), join(installed, "package.json"));
  await symlink(join(root, "node_modules"), join(installed, "node_modules"));
  const build = {
    extends: join(root, "tsconfig.build.json"),
    compilerOptions,
    files: [join(root, "src/index.ts")],
    include: [],
  };
  await writeFile(join(program, "tsconfig.build.json"), JSON.stringify(build));
  await writeFile(join(program, "package.json"), JSON.stringify({ type: "module" }));
  await run(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", join(installed, "dist")], {
    cwd: program,
  });
  // The compiler reads the whole client, on a machine that may be busy with other tests.
}, 60_000);
afterAll(() => rm(program, { recursive: true, force: true }));

const compilerOptions = { rootDir: join(root, "src"), typeRoots: [join(root, "node_modules/@types")] };

test("a program that imports the package by its name runs", async () => {
  await writeFile(
    join(program, "program.js"),
    `import { createGatewayClient, GatewayError, operations, Secret } from "skedchange";
     const client = createGatewayClient({ baseUrl: "http://127.0.0.1:1", accessToken: new Secret("x"), retries: null });
     const query = operations.AirReservationStatus.examples.query;
     const error = await client.airReservationStatus(query).catch((reason) => reason);
     await client.close();
     console.log(error instanceof GatewayError, error.code, error.phase, Object.keys(client).length);`,
  );

  const { stdout } = await run(process.execPath, ["program.js"], { cwd: program });

  expect(stdout).toBe("true gateway.unreachable before-sending 16\n");
});

test("its types are there: what is right compiles, and what is wrong does not", async () => {
  await writeFile(
    join(program, "program.ts"),
    `import { createGatewayClient, Secret } from "skedchange";
     const client = createGatewayClient({ baseUrl: "", accessToken: new Secret("x") });
     const { result } = await client.airReservationStatus({ orderId: "A", gdsBookingReferences: ["B"] });
     export const ids: readonly (string | null)[] = result.orders.map((order) => order.orderId);
     // @ts-expect-error the references are missing
     await client.airReservationStatus({ orderId: "A" });
     // @ts-expect-error an order has no such member
     result.orders[0]?.noSuchMember;`,
  );

  expect(await typeErrors("program.ts")).toBe("");
});

test("the example of docs/client.md compiles", async () => {
  const page = await readFile(join(root, "docs/client.md"), "utf8");
  const example = /```ts\n(?<code>[\s\S]*?)```/.exec(page)?.groups?.["code"];
  expect(example).toContain("createGatewayClient");
  const surroundings = `
    declare const token: string, key: string, signal: AbortSignal;
    declare function tryLater(): void;
    declare function tellSomeone(code: string, advice: string | undefined): void;
    declare function readTheStatusFirst(): void;`;
  await writeFile(join(program, "example.ts"), `${example}${surroundings}`);

  expect(await typeErrors("example.ts")).toBe("");
});

/** What the compiler says of a program. */
async function typeErrors(file: string): Promise<string> {
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  const { stdout } = await run(process.execPath, [tsc, ...options, ...types, file], { cwd: program }).catch(
    (error: unknown) => error as { stdout: string },
  );
  return stdout;
}
