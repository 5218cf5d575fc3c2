import { spawnSync } from "node:child_process";

/** The program that the tests start. */
export const redisBinary = "redis-server";

/** Whether this machine has a Redis to test with. */
export function hasRedisServer(): boolean {
  // An environment of its own, because Redis hangs with the moved clock of `npm run test:dates`.
  const env = { PATH: process.env["PATH"] };
  return spawnSync(redisBinary, ["--version"], { stdio: "ignore", env }).status === 0;
}

/** Whether its absence is a failure, as in CI: REQUIRE_REDIS=1. */
export function requiresRedis(): boolean {
  return process.env["REQUIRE_REDIS"] === "1";
}

/** Whether a certificate can be made for the test over TLS; Node.js cannot. */
export function hasOpenssl(): boolean {
  return spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;
}

/** Says once for a whole run which suites on Redis are left out, and how to have them. */
export function announceMissingRedis(): void {
  if (!hasRedisServer()) {
    if (requiresRedis()) return;
    process.stderr.write(
      `There is no ${redisBinary} on the PATH: the tests of the queue on Redis are left out. To run them, install Redis ` +
        "7 (Debian: apt-get install redis-server). REQUIRE_REDIS=1 makes its absence a failure.\n",
    );
  } else if (!hasOpenssl()) {
    process.stderr.write("There is no openssl on the PATH: the tests of the queue on Redis over TLS are left out.\n");
  }
}
