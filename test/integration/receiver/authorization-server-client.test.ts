import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthorizationServerClient } from "../../../src/receiver/authorization-server-client.ts";
import {
  sendJson,
  startAuthorizationServer,
  type TestAuthorizationServer,
} from "../../harness/authorization-server.ts";

const client = createAuthorizationServerClient(5_000);
let trusted: TestAuthorizationServer;
let other: TestAuthorizationServer;
beforeAll(async () => {
  [trusted, other] = await Promise.all([startAuthorizationServer(), startAuthorizationServer()]);
  other.serveIntrospection((_token, response) => sendJson(response, { active: true }));
});
afterAll(() => Promise.all([client.close(), trusted.close(), other.close()]));

test.each([301, 302, 303, 307, 308])("a redirect with %i leads to no other server", async (status) => {
  trusted.serveKeys((_request, _body, response) => response.writeHead(status, { location: other.jwksUrl }).end());
  trusted.serveIntrospection((_token, response) =>
    response.writeHead(status, { location: other.introspectionUrl }).end(),
  );
  const unusable = { code: "receiver.authorization_server_unavailable" };

  await expect(client.getJson(trusted.jwksUrl)).rejects.toMatchObject(unusable);
  const credentials = { id: "agency", secret: "hush" };
  await expect(client.postForm(trusted.introspectionUrl, { token: "t" }, credentials)).rejects.toMatchObject(unusable);
  expect(other.count("/jwks") + other.count("/introspect")).toBe(0);
});
