import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { describeRedisPlace, type RedisPlace, readRedisUrl } from "../../../src/kernel/redis-url.ts";

function placeOf(url: string): RedisPlace {
  const reading = readRedisUrl(url);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.place;
}

function problemOf(url: string): string {
  const reading = readRedisUrl(url);
  if (reading.ok) throw new Error(`${url} was read`);
  return reading.problem;
}

describe("the URL of a Redis", () => {
  test("names a server, on the default port and database when it says nothing else", () => {
    expect(placeOf("redis://localhost")).toEqual({
      nodes: [{ host: "localhost", port: 6379 }],
      cluster: false,
      tls: false,
      username: null,
      password: null,
      db: 0,
    });
    expect(placeOf("redis://localhost/")).toEqual(placeOf("redis://localhost:6379/0"));
  });

  test.each([
    ["redis://redis.example:80/15", [{ host: "redis.example", port: 80 }], 15],
    ["redis://[::1]:7000", [{ host: "::1", port: 7000 }], 0],
    ["redis://[2001:db8::1]/3", [{ host: "2001:db8::1", port: 6379 }], 3],
  ])("%s", (url, nodes, db) => {
    expect(placeOf(url)).toMatchObject({ nodes, db, cluster: false });
  });

  test("rediss is TLS", () => {
    expect(placeOf("rediss://localhost").tls).toBe(true);
    expect(placeOf("REDISS://localhost").tls).toBe(true);
  });

  test.each([
    ["redis://worker:pass@localhost", "worker", "pass"],
    ["redis://:pass@localhost", null, "pass"],
    ["redis://worker@localhost", "worker", null],
    ["redis://worker:a:b%40c%2Fd@localhost", "worker", "a:b@c/d"],
  ])("%s signs in", (url, username, password) => {
    const place = placeOf(url);

    expect(place.username).toBe(username);
    expect(place.password?.reveal() ?? null).toBe(password);
  });

  test("several hosts are a cluster, which shares one sign-in", () => {
    expect(placeOf("rediss://worker:pass@10.0.0.1:7000,10.0.0.2,[::1]:7002")).toMatchObject({
      nodes: [
        { host: "10.0.0.1", port: 7000 },
        { host: "10.0.0.2", port: 6379 },
        { host: "::1", port: 7002 },
      ],
      cluster: true,
      tls: true,
      username: "worker",
    });
  });

  test("one host is a cluster when it says so", () => {
    expect(placeOf("redis://config.example?cluster=1").cluster).toBe(true);
    expect(placeOf("redis://config.example/0?cluster=1").cluster).toBe(true);
    expect(placeOf("redis://config.example?cluster=0").cluster).toBe(false);
  });

  test.each([
    ["http://localhost", "is no Redis URL"],
    ["localhost:6379", "is no Redis URL"],
    ["redis://", "is no Redis URL"],
    ["redis://user:p@ss@localhost", "is no Redis URL"],
    ["redis://localhost:70000", "names a host that cannot be read (number 1 of 1)"],
    ["redis://a:1,,b:2", "names a host that cannot be read (number 2 of 3)"],
    ["redis://localhost/orders", "has a path that is no database number"],
    ["redis://a,b/1", "a Redis Cluster has only number 0"],
    ["redis://a/1?cluster=1", "a Redis Cluster has only number 0"],
    ["redis://a,b?cluster=0", "names several hosts, which is a cluster, and says cluster=0"],
    ["redis://a?cluster=yes", "has a parameter cluster that is neither 1 nor 0"],
    ["redis://a?tls=1", "has an unknown parameter; the only one is cluster=1"],
    ["redis://u:%zz@a", "has a user name or password that is not percent-encoded correctly"],
  ])("%s is refused", (url, problem) => {
    expect(problemOf(url)).toContain(problem);
  });

  test("is described without its credentials, and never prints its password", () => {
    const place = placeOf("rediss://worker:hidden@10.0.0.1:7000,[::1]:7001");

    expect(describeRedisPlace(place)).toBe("Redis Cluster at 10.0.0.1:7000, [::1]:7001 over TLS");
    expect(describeRedisPlace(placeOf("redis://:hidden@localhost/4"))).toBe("Redis at localhost:6379/4");
    expect(inspect(place, { depth: 9 }) + JSON.stringify(place)).not.toContain("hidden");
  });
});
