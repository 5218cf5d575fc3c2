import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApplication, type HttpServer, listen, takesAnyHost } from "../../../src/app/http-server.ts";

let server: HttpServer;
/** Of a process that others reach through a proxy. */
let proxied: HttpServer;

beforeAll(async () => {
  const app = createApplication();
  app.use((request, response) => {
    response.json({ path: request.path });
  });
  const place = { host: "127.0.0.1", port: 0, setting: "PORT" };
  server = await listen(app, { ...place, takesAnyHost: false });
  proxied = await listen(app, { ...place, takesAnyHost: true });
});
afterAll(async () => {
  await server.close();
  await proxied.close();
});

async function get(path: string) {
  const response = await fetch(`${server.url}${path}`, { headers: { connection: "close" } });
  return { status: response.status, body: await response.json() };
}

/** `fetch` does not let one choose the header. */
async function askAs(host: string, { url } = server): Promise<{ readonly status: number; readonly text: string }> {
  return await new Promise((resolve, reject) => {
    const asked = request(`${url}/healthz`, { headers: { host, connection: "close" } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode!, text }));
    });
    asked.on("error", reject).end();
  });
}

describe("a process that only this machine can reach", () => {
  test.each(["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "127.8.8.8", "[::1]:3000", "localhost:80"])(
    "answers to the name %s",
    async (host) => {
      expect((await askAs(host)).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "evil.example:3000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "[2001:db8::1]",
    "a b",
  ])("refuses the name %j, which a page elsewhere may have pointed here", async (host) => {
    const { status, text } = await askAs(host);

    expect(status).toBe(421);
    expect(JSON.parse(text)).toMatchObject({
      code: "http.foreign_host",
      detail: expect.stringContaining("PUBLIC_URL"),
    });
  });
});

test.each([
  [{ HOST: "127.0.0.1" }, false],
  [{ HOST: "::1", PUBLIC_URL: "http://localhost:3000" }, false],
  [{ HOST: "0.0.0.0" }, true],
  [{ HOST: "127.0.0.1", PUBLIC_URL: "https://skedchange.example.com" }, true],
  [{ HOST: "127.0.0.1", TRUSTED_PROXIES: ["127.0.0.1/32"] }, true],
])("with %j it takes any name: %s", (settings, expected) => {
  expect(takesAnyHost(settings)).toBe(expected);
});

test("a process that is reached through a proxy leaves names to it", async () => {
  expect((await askAs("skedchange.example.com", proxied)).status).toBe(200);
});

describe("what every port begins with", () => {
  test.each(["/%c0%ae%c0%ae/etc/passwd", "/%ff", "/assets/%", "/docs/%zz", "/%ed%a0%80"])(
    "refuses the path %s, which is no UTF-8",
    async (path) => {
      expect(await get(path)).toMatchObject({ status: 400, body: { code: "http.malformed_path" } });
    },
  );

  test.each(["/%c3%a9", "/a%2fb", "/?q=%ff"])("lets %s through", async (path) => {
    expect(await get(path)).toEqual({ status: 200, body: { path: path.replace(/\?.*/, "") } });
  });
});
