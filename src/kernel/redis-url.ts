import { Secret } from "./secret.ts";

export interface RedisPlace {
  /** One server, or some nodes of a cluster, which name the others. Never empty. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly cluster: boolean;
  readonly tls: boolean;
  /** An ACL user; null signs in as the default user. */
  readonly username: string | null;
  readonly password: Secret | null;
  /** Always 0 in a cluster. */
  readonly db: number;
}

export type RedisUrlReading =
  | { readonly ok: true; readonly place: RedisPlace }
  | { readonly ok: false; readonly problem: string };

const urlParts = /^(rediss?):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;

const defaultPort = 6379;

/**
 * Several hosts separated by commas, which `URL` can't parse, or `?cluster=1` mean a Redis Cluster.
 * @returns the place, or the problem as the end of a sentence about the setting, without the URL
 * @example
 * readRedisUrl("rediss://worker:password@redis.example:6380/2")
 * readRedisUrl("redis://10.0.0.1:7000,10.0.0.2:7000,10.0.0.3:7000")
 */
export function readRedisUrl(url: string): RedisUrlReading {
  const parts = urlParts.exec(url);
  if (parts === null)
    return refuse("is no Redis URL. Write it as redis://user:password@host:6379/0, rediss:// for TLS");
  const [, scheme = "", login, hosts = "", path = "", query = ""] = parts;

  const nodes = hosts.split(",").map(readNode);
  const unreadable = nodes.findIndex((node) => node === null);
  if (unreadable !== -1)
    return refuse(`names a host that cannot be read (number ${unreadable + 1} of ${nodes.length})`);

  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => name !== "cluster");
  if (unknown !== undefined) return refuse("has an unknown parameter; the only one is cluster=1");
  const asked = parameters.get("cluster");
  if (asked !== null && asked !== "1" && asked !== "0")
    return refuse("has a parameter cluster that is neither 1 nor 0");
  if (asked === "0" && nodes.length > 1) return refuse("names several hosts, which is a cluster, and says cluster=0");
  const cluster = nodes.length > 1 || asked === "1";

  if (path !== "" && !/^\d{1,4}$/.test(path)) return refuse("has a path that is no database number, such as /0");
  const db = Number(path);
  if (cluster && db !== 0) return refuse("names a database number, and a Redis Cluster has only number 0");

  const signIn = readLogin(login);
  if (signIn === null) return refuse("has a user name or password that is not percent-encoded correctly");
  return {
    ok: true,
    place: { nodes: nodes.filter((node) => node !== null), cluster, tls: /^rediss$/i.test(scheme), ...signIn, db },
  };
}

/** For people, without credentials. */
export function describeRedisPlace({ nodes, cluster, tls, db }: RedisPlace): string {
  const hosts = nodes.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`).join(", ");
  return `${cluster ? "Redis Cluster" : "Redis"} at ${hosts}${db === 0 ? "" : `/${db}`}${tls ? " over TLS" : ""}`;
}

function refuse(problem: string): RedisUrlReading {
  return { ok: false, problem };
}

function readNode(text: string): { host: string; port: number } | null {
  if (!URL.canParse(`redis://${text}`)) return null;
  const { hostname, port } = new URL(`redis://${text}`);
  if (hostname === "") return null;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? defaultPort : Number(port) };
}

/** `user:password`, `:password`, or `user`. The first colon separates, because user names contain none. */
function readLogin(login: string | undefined): { username: string | null; password: Secret | null } | null {
  if (login === undefined) return { username: null, password: null };
  const [username = "", ...rest] = login.split(":");
  try {
    const password = decodeURIComponent(rest.join(":"));
    return {
      username: username === "" ? null : decodeURIComponent(username),
      password: password === "" ? null : new Secret(password),
    };
  } catch {
    return null;
  }
}
