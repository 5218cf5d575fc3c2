import { chmod, cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/store/embedded-postgres/binaries.ts";
import { chooseServerUser, readPasswd, type ServerUser } from "../../../src/store/embedded-postgres/server-user.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";

const describeAsRoot = process.geteuid?.() === 0 ? describe : describe.skip;
const self: ServerUser = { name: "the current user", switchTo: null };

let folder: string;
let lines: string[];
beforeEach(async () => {
  folder = await makeTestFolder();
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function find(packageFolder: string, user: ServerUser) {
  return findBinaries({ packageFolder, user, cacheFolder: async () => folder, logger: (line) => lines.push(line) });
}

/** A copy of the installed package, without the links that npm makes after the download. */
async function copyPackage(): Promise<string> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
  const copy = join(folder, "package");
  await cp(dirname(dirname(entry)), copy, {
    recursive: true,
    filter: (source) => !/\.so(\.\d+)?$/.test(source) || !/libicu|libpq|libecpg|libpgtypes/.test(source),
  });
  return copy;
}

/** A package with a program of our own in the place of PostgreSQL. */
async function fakePackage(program: string): Promise<string> {
  const fake = join(folder, "fake");
  await mkdir(join(fake, "native", "bin"), { recursive: true });
  await writeFile(join(fake, "native", "bin", "postgres"), program, { mode: 0o755 });
  return fake;
}

test("links between libraries that npm did not make are made", async () => {
  const copy = await copyPackage();

  const binaries = await find(copy, self);

  expect(binaries).toMatchObject({ postgres: join(copy, "native", "bin", "postgres"), majorVersion: 18 });
  expect(lines).toEqual([]);
});

describeAsRoot("as root", () => {
  test("binaries that the server's user cannot reach are copied once to where it can", async () => {
    const copy = await copyPackage();
    await chmod(copy, 0o700);
    const user = chooseServerUser({ ownUid: 0, dataOwner: undefined, sudoUid: undefined, passwd: await readPasswd() });

    const first = await find(copy, user);
    const second = await find(copy, user);

    expect(first.postgres).toMatch(/postgres-18\.[^/]+-[0-9a-f]{12}\/native\/bin\/postgres$/);
    expect(second).toEqual(first);
    expect((await stat(first.postgres)).uid).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/^copying the PostgreSQL binaries to /)]);
    expect((await readdir(folder)).sort()).toEqual(["package", expect.stringMatching(/^postgres-18/)]);
  });
});

test("a system with another C library gets an error that names what to do", async () => {
  const fake = await fakePackage("#!/lib64/no-such-loader.so\n");

  await expect(find(fake, self)).rejects.toMatchObject({
    code: "store.embedded_unavailable",
    message: expect.stringMatching(/do not run: they need glibc.* Set DATABASE_URL to a PostgreSQL of yours/),
  });
});

test("binaries that end with an error are shown with what they said", async () => {
  const fake = await fakePackage("#!/bin/sh\necho 'libfoo.so.1: version not found' >&2\nexit 127\n");

  await expect(find(fake, self)).rejects.toMatchObject({
    code: "store.embedded_unavailable",
    message: expect.stringContaining("libfoo.so.1: version not found"),
  });
});

test("a package without binaries gets an error that names them", async () => {
  await expect(find(join(folder, "nothing"), self)).rejects.toMatchObject({
    code: "store.embedded_unavailable",
    message: expect.stringContaining("does not exist"),
  });
});

test("binaries that we may not run, and may not copy to where we could, are an error that says so", async () => {
  // Nobody may run a file without any x bit, not even root.
  const fake = await fakePackage("#!/bin/sh\nexit 0\n");
  await chmod(join(fake, "native", "bin", "postgres"), 0o644);

  await expect(find(fake, self)).rejects.toMatchObject({
    code: "store.embedded_unavailable",
    message: expect.stringMatching(/the current user may not read or run them/),
  });
});
