import { describe, expect, test } from "@jest/globals";
import type { Router } from "express";
import { describeAgencySide, describeGatewaySide } from "../../../src/app/openapi-documents.ts";
import { createDashboard } from "../../../src/dashboard/create-dashboard.ts";
import { createEventStreams } from "../../../src/dashboard/event-streams.ts";
import { createControlRouter } from "../../../src/gateway/control-router.ts";
import { createEventRouter } from "../../../src/sender/events/event-router.ts";
import { createRecipientRouter } from "../../../src/sender/notification-routes.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";

/** The parts of a router of Express that tell its routes. */
interface Layer {
  readonly route?: {
    readonly path: string | readonly string[];
    readonly stack: readonly { readonly method?: string }[];
  };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): { readonly path: string } | false;
}

/** The routes of a router and of those mounted in it without a path: `get /orders/{orderId}`. */
function routesOf(router: { readonly stack?: readonly Layer[] }): readonly string[] {
  const routes = (router.stack ?? []).flatMap(({ route, handle }) => {
    if (route === undefined) return routesOf(handle);
    const paths = [route.path].flat().map((path) => path.replaceAll(/:(\w+)/g, "{$1}"));
    // A route for all methods refuses those that it has not.
    const methods = route.stack.flatMap(({ method }) => (method === undefined ? [] : [method]));
    return paths.flatMap((path) => methods.map((method) => `${method} ${path}`));
  });
  // A route may have several handlers.
  return [...new Set(routes)];
}

/** The router that is mounted at a path. */
function mountedAt(path: string, router: Router): Layer["handle"] {
  const layers = router.stack as unknown as readonly Layer[];
  const found = layers.find((layer) => {
    const match = layer.match(`${path}/any`);
    return match !== false && match.path === path;
  });
  if (found === undefined) throw new Error(`Nothing is mounted at ${path}.`);
  return found.handle;
}

function describedBelow(prefix: string, document: object): readonly string[] {
  const { paths } = document as { readonly paths: Record<string, object> };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path.slice(prefix.length)}`))
    .toSorted();
}

/** Routers are only looked at here, so nothing of what they work with is ever called. */
const untouched = new Proxy({}, { get: () => () => untouched }) as never;

const agency = describeAgencySide();
const gateway = describeGatewaySide();

describe("what is described", () => {
  test("of the API is every route that it has, and no other", () => {
    const dashboard = createDashboard({
      queries: untouched,
      lanes: untouched,
      countWork: untouched,
      changes: untouched,
      bodies: untouched,
      quarantine: untouched,
      orderLimit: 500,
      orders: untouched,
      bulk: untouched,
      tasks: untouched,
      policies: untouched,
      automation: untouched,
      audit: untouched,
      people: untouched,
      events: createEventStreams(),
      outgoingEvents: (access) =>
        createEventRouter(
          {
            store: untouched,
            replays: untouched,
            tester: untouched,
            guard: untouched,
            logger: silentLogger,
          },
          access,
        ),
      act: untouched,
      verifyToken: async () => false,
      clock: untouched,
      logger: silentLogger,
    });
    const routes = routesOf(mountedAt("/api/v1", dashboard));

    expect(routes).toContain("get /cases/{id}");
    expect([...routes].toSorted()).toEqual(describedBelow("/api/v1", agency));
  });

  test("of the control side is every route that it has, and no other", () => {
    const control = createControlRouter(untouched);
    const recipients = createRecipientRouter({
      store: untouched,
      replays: untouched,
      tester: untouched,
      guard: untouched,
      logger: silentLogger,
    });
    const routes = [control, recipients].flatMap((router) => routesOf(router as unknown as Layer["handle"]));

    expect(routes).toContain("post /orders/{orderId}/changes");
    expect(routes.toSorted()).toEqual(describedBelow("/control", gateway));
  });

  test("beside them is what each side serves", () => {
    const others = (document: object, without: string) =>
      describedBelow("", document).filter((route) => !route.includes(without) && !route.startsWith("post /Air"));

    expect(others(agency, "/api/v1")).toEqual([
      "get /docs",
      "get /healthz",
      "get /metrics",
      "get /oauth/jwks.json",
      "get /openapi.json",
      "get /readyz",
      "post /oauth/token",
      "post /ocn",
      "post /ocn/{source}",
    ]);
    expect(others(gateway, "/control")).toEqual(["get /docs", "get /healthz", "get /openapi.json"]);
  });
});
