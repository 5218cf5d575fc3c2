import { expect, test } from "vitest";
import { chooseServerUser, type ServerUserOptions } from "../../../src/store/embedded-postgres/server-user.ts";

const root = "root:x:0:0:root:/root:/bin/bash";
const postgres = "postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash";
const ada = "ada:x:1000:1000::/home/ada:/bin/bash";
const nobody = "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin";

function choose(options: Partial<Omit<ServerUserOptions, "passwd">> & { users?: string[] }) {
  const { users = [root, postgres, ada, nobody], ...rest } = options;
  return chooseServerUser({
    ownUid: 0,
    dataOwner: undefined,
    sudoUid: undefined,
    passwd: `${users.join("\n")}\n`,
    ...rest,
  });
}

test("runs as ourselves unless we are root", () => {
  expect(choose({ ownUid: 1000 })).toEqual({ name: "the current user", switchTo: null });
  expect(choose({ ownUid: undefined })).toEqual({ name: "the current user", switchTo: null });
});

test("as root, prefers postgres, then who called sudo, then nobody", () => {
  expect(choose({ sudoUid: 1000 })).toEqual({ name: "postgres", switchTo: { uid: 101, gid: 104 } });
  expect(choose({ sudoUid: 1000, users: [root, ada, nobody] })).toEqual({
    name: "ada",
    switchTo: { uid: 1000, gid: 1000 },
  });
  expect(choose({ users: [root, ada, nobody] })).toEqual({ name: "nobody", switchTo: { uid: 65_534, gid: 65_534 } });
});

test("as root, stays with the owner of the data that is there, also one without a name", () => {
  expect(choose({ dataOwner: { uid: 65_534, gid: 65_534 } }).name).toBe("nobody");
  expect(choose({ dataOwner: { uid: 4711, gid: 4711 } })).toEqual({
    name: "uid 4711",
    switchTo: { uid: 4711, gid: 4711 },
  });
});

test("does not stay with data that belongs to root, nor run as a root that called sudo", () => {
  expect(choose({ dataOwner: { uid: 0, gid: 0 } }).name).toBe("postgres");
  expect(choose({ sudoUid: 0, users: [root, nobody] }).name).toBe("nobody");
});

test("as root without any other user, says what to do", () => {
  expect(() => choose({ users: [root, ada] })).toThrow(
    expect.objectContaining({
      code: "store.embedded_user_missing",
      message: expect.stringMatching(/does not run as root.* or set DATABASE_URL/),
    }),
  );
});
