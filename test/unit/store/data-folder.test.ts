import { existsSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  makeFolderForAll,
  prepareDataFolder,
  prepareSocketFolder,
} from "../../../src/store/embedded-postgres/data-folder.ts";
import { makeTestFolder } from "../../harness/test-folder.ts";

const ourselves = { name: "the current user", switchTo: null };

let folder: string;

beforeEach(async () => {
  folder = await makeTestFolder();
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the data folder", () => {
  test("is made with its parents, and used as it is the next time", async () => {
    const wanted = join(folder, "a", "b");

    expect(await prepareDataFolder(wanted, ourselves)).toBe(wanted);
    expect(await prepareDataFolder(wanted, ourselves)).toBe(wanted);
    expect((await stat(wanted)).isDirectory()).toBe(true);
  });

  test("is made once by two starts at the same moment", async () => {
    const wanted = join(folder, "a", "b", "c");

    await Promise.all([makeFolderForAll(wanted), makeFolderForAll(wanted)]);

    expect((await stat(wanted)).isDirectory()).toBe(true);
  });

  (existsSync("/proc/self") ? test : test.skip)(
    "is refused with a reason where no folder can be made, at once",
    async () => {
      await expect(prepareDataFolder("/proc/skedchange/data", ourselves)).rejects.toMatchObject({
        code: "store.data_unreachable",
        message:
          "The data folder /proc/skedchange/data cannot be made (ENOENT). Set DATA_DIR to a folder that can be written.",
      });
    },
  );
});

describe("the folder of the socket", () => {
  test("lies in the temporary folder, private to the server's user", async () => {
    const made = await prepareSocketFolder(join(folder, "cluster"), ourselves, folder);

    expect(made.startsWith(join(folder, "skedchange-"))).toBe(true);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  test("lies in /tmp when there is no such temporary folder", async () => {
    const made = await prepareSocketFolder(join(folder, "cluster"), ourselves, join(folder, "gone"));

    expect(made.startsWith("/tmp/skedchange-")).toBe(true);
    await rm(made, { recursive: true });
  });
});
