import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createApplication, type HttpServer, listen } from "../../../src/app/http-server.ts";

let server: HttpServer;

beforeAll(async () => {
  const app = createApplication();
  app.use((request, response) => {
    response.json({ path: request.path });
  });
  server = await listen(app, { host: "127.0.0.1", port: 0, setting: "PORT" });
});
afterAll(() => server.close());

async function get(path: string) {
  const response = await fetch(`${server.url}${path}`, { headers: { connection: "close" } });
  return { status: response.status, body: await response.json() };
}

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
