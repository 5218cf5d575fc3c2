// Part of `npm run test:dates`, loaded into each of its Node.js processes. The moved date is in environment variables:
// this hands them on to programs that are started with an environment of their own, such as PostgreSQL.
import { ChildProcess } from "node:child_process";
import { basename } from "node:path";

const names = new Set(["LD_PRELOAD", "FAKETIME", "FAKETIME_SHARED", "FAKETIME_DONT_FAKE_MONOTONIC", "NODE_OPTIONS"]);
const own = Object.entries(process.env).filter(([name]) => names.has(name));

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const given = options.envPairs.filter((pair) => !names.has(pair.slice(0, pair.indexOf("="))));
  const movedClock = own.filter(
    // Another user cannot open what the processes of one user share.
    ([name]) => name !== "FAKETIME_SHARED" || options.uid === undefined,
  );
  // Redis hangs at its start with the moved clock, because of its memory allocator, and needs no date.
  const added = basename(options.file) === "redis-server" ? [] : movedClock;
  return spawn.call(this, { ...options, envPairs: [...given, ...added.map((pair) => pair.join("="))] });
};
