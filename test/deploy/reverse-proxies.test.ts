import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingDescriptions } from "../../src/config/settings.ts";
import { makeSelfSigned } from "../harness/certificates.ts";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { hasProgram } from "./find-program.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const nginxFile = read("deploy/nginx/skedchange.conf");
const caddyFile = read("deploy/caddy/Caddyfile");
const bodyLimit = Number(settingDescriptions.find(({ name }) => name === "OCN_BODY_LIMIT_BYTES")!.default);

describe.each([
  ["nginx", nginxFile],
  ["Caddy", caddyFile],
])("the file for %s", (_name, text) => {
  test("takes bodies as long as the receiver does", () => {
    expect(text).toMatch(new RegExp(`(client_max_body_size|max_size) ${bodyLimit}\\b`));
  });

  test("names the ports that docker-compose.yml publishes", () => {
    const used = new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port!));
    const published = [...read("docker-compose.yml").matchAll(/"127\.0\.0\.1:(\d+):3000"/g)].map(([, port]) => port!);

    expect([...used].toSorted()).toEqual(published.toSorted());
  });

  test("says which settings make Skedchange believe it", () => {
    const named = [...text.matchAll(/^#\s+([A-Z_]+)=/gm)].map(([, name]) => name!);

    expect(named).toEqual(["PUBLIC_URL", "TRUSTED_PROXIES"]);
  });
});

test("the files for both allow TLS 1.2 and 1.3 only", () => {
  expect(nginxFile).toContain("ssl_protocols TLSv1.2 TLSv1.3;");
  // Caddy does by itself.
  expect(caddyFile).not.toMatch(/\bprotocols\b/);
});

/** What a proxy is started with: its file, with the addresses of this test instead of those of production. */
interface Place {
  readonly folder: string;
  readonly port: number;
  readonly receiver: number;
  readonly dashboard: number;
}

const certificatePath = ({ folder }: Place): string => join(folder, "certificate.pem");
const keyPath = ({ folder }: Place): string => join(folder, "key.pem");

function withPorts(text: string, { receiver, dashboard }: Place): string {
  return text
    .replaceAll("127.0.0.1:3000", `127.0.0.1:${receiver}`)
    .replaceAll("127.0.0.1:3001", `127.0.0.1:${dashboard}`);
}

function startNginx(place: Place): ChildProcess {
  const { folder, port } = place;
  const site = withPorts(nginxFile, place)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace(/server \{\s+listen 80;[\s\S]*?\n\}/, "")
    .replace("/etc/nginx/tls/skedchange.crt", certificatePath(place))
    .replace("/etc/nginx/tls/skedchange.key", keyPath(place))
    .replace("/var/log/nginx/skedchange.log", join(folder, "access.log"));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\n${paths.join("\n")}\n${site}\n}\n`,
  );
  return spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
}

function startCaddy(place: Place): ChildProcess {
  const { folder, port } = place;
  const site = withPorts(caddyFile, place).replace(
    "skedchange.example.com {",
    `https://skedchange.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${certificatePath(place)} ${keyPath(place)}`,
  );
  const path = join(folder, "Caddyfile");
  writeFileSync(path, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  mkdirSync(join(folder, "home"));
  return spawn("caddy", ["run", "--adapter", "caddyfile", "--config", path], {
    stdio: "ignore",
    env: { PATH: process.env["PATH"], HOME: join(folder, "home") },
  });
}

const programs = [
  { name: "nginx", isThere: hasProgram("nginx", "-v"), start: startNginx },
  { name: "caddy", isThere: hasProgram("caddy", "version"), start: startCaddy },
];
const there = programs.filter(({ isThere }) => isThere);

// Where neither is installed, only the texts are checked. Debian: apt-get install nginx-light caddy.
const ifAny = there.length > 0 ? describe : describe.skip;
ifAny.each(there.length > 0 ? there : programs)("$name with our file", ({ start }) => {
  let folder: string;
  let place: Place;
  let proxy: ChildProcess;
  const client = new Agent({ connect: { servername: "skedchange.example.com", rejectUnauthorized: false } });
  const servers: Server[] = [];
  let releaseEvent: () => void = () => {};

  /** Responds with what came, so that a test can see where it went and with which headers. */
  async function startStub(name: string): Promise<number> {
    const server = createServer((incoming, response) => {
      if (incoming.url === "/api/v1/events") {
        response.writeHead(200, { "Content-Type": "text/event-stream" }).write("event: first\n\n");
        releaseEvent = () => void response.end("event: second\n\n");
        return;
      }
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      // Not reached when a body is too long: Caddy breaks off.
      incoming.on("end", () => response.end(JSON.stringify({ name, headers: incoming.headers, bytes })));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  async function call(path: string, options: { headers?: Record<string, string>; body?: Buffer } = {}) {
    const { headers = {}, body } = options;
    return await request(`https://127.0.0.1:${place.port}${path}`, {
      dispatcher: client,
      headers: { Host: "skedchange.example.com", ...headers },
      ...(body === undefined ? {} : { method: "POST", body }),
    });
  }

  async function echoed(path: string, options: Parameters<typeof call>[1] = {}) {
    const response = await call(path, options);
    const text = await response.body.text();
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
    return JSON.parse(text) as { name: string; headers: Record<string, string>; bytes: number };
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "skedchange-proxy-"));
    const [receiver, dashboard, port] = [await startStub("receiver"), await startStub("dashboard"), await freePort()];
    place = { folder, port, receiver, dashboard };
    const { certificate, privateKey } = await makeSelfSigned("skedchange.example.com");
    writeFileSync(certificatePath(place), certificate);
    writeFileSync(keyPath(place), privateKey);
    proxy = start(place);
    await eventually(() => echoed("/"));
  });
  afterAll(async () => {
    const ended = once(proxy, "exit");
    proxy.kill("SIGTERM");
    await ended;
    await client.destroy();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ["/ocn", "receiver"],
    ["/ocn/acme", "receiver"],
    ["/oauth/token", "receiver"],
    ["/", "dashboard"],
    ["/cases/1", "dashboard"],
    ["/api/v1/cases", "dashboard"],
  ])("%s goes to the %s", async (path, role) => {
    expect((await echoed(path)).name).toBe(role);
  });

  test.each(["/ocn", "/", "/api/v1/session"])("a client of %s cannot choose its address", async (path) => {
    const { headers } = await echoed(path, {
      headers: { "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Proto": "http" },
    });

    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers["x-forwarded-proto"]).toBe("https");
  });

  test.each(["/metrics", "/METRICS", "/metrics/", "//metrics", "/%6detrics", "/readyz", "/ReadyZ", "/readyz/"])(
    "%s stays inside",
    async (path) => {
      const response = await call(path);
      await response.body.dump();

      expect(response.statusCode).toBe(404);
    },
  );

  test("the longest body that the receiver takes comes through, and a longer one does not", async () => {
    expect((await echoed("/ocn", { body: Buffer.alloc(bodyLimit) })).bytes).toBe(bodyLimit);
    await expect(echoed("/ocn", { body: Buffer.alloc(bodyLimit + 1) })).rejects.toThrow(/413|502|EPIPE|ECONNRESET/);
  });

  test("an event arrives before the stream ends", async () => {
    const { body } = await call("/api/v1/events");
    const events = body.iterator() as AsyncIterator<Buffer, undefined>;

    expect((await events.next()).value?.toString()).toBe("event: first\n\n");
    releaseEvent();
    expect((await events.next()).value?.toString()).toBe("event: second\n\n");
    expect((await events.next()).done).toBe(true);
  });
});
