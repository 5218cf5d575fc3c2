import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mountRoutes, refuseOtherMethods, type Surface } from "../../../src/http/mount-routes.ts";
import { type Problem, ProblemError, writeProblem } from "../../../src/http/problem-document.ts";
import { type RouteTypes, routes, routesFor, success } from "../../../src/http/route.ts";

type Role = "reader" | "writer";

const route = routesFor<Role, { readonly name: string }>();
const id = "019aa000-0000-7000-8000-000000000000";
const noBook = {
  description: "There is no such book.",
  codes: ["book.missing"],
  missing: (text: string) => ({ code: "book.missing", title: "No such book", detail: `There is no book ${text}.` }),
};

type Needs = {
  readonly titles: Map<string, string>;
};

const bookRoutes = routes("Books", {
  readBook: route("GET /books/{id}", "reader", {
    summary: "One book",
    query: z.strictObject({ language: z.enum(["en", "de"]).default("en") }),
    responses: { 200: success("The book."), 404: noBook },
    async handle({ params, query, caller }, { titles }: Needs) {
      const title = titles.get(params.id);
      return title === undefined ? null : { body: { title, language: query.language, readBy: caller.name } };
    },
  }),
  writeBook: route("PUT /books/{id}", "reader", {
    roleOf: (given) => (given !== null && typeof given === "object" && "secret" in given ? "writer" : undefined),
    summary: "Writes a book",
    body: z.object({ title: z.string() }),
    responses: { 201: success("Written.") },
    handle({ params, body }, { titles }: Needs) {
      if (body.title === "taken") return { status: 409, code: "book.taken", title: "Taken", detail: "It is taken." };
      if (body.title === "thrown") throw new ProblemError(refusal("book.thrown"));
      titles.set(params.id, body.title);
      return { body: { written: new Date(0) }, headers: { Location: `/books/${params.id}` } };
    },
  }),
});

const refusal = (code: string): Problem => ({ status: 422, code, title: "Refused", detail: "It is refused." });

const surface: Surface<Role, { readonly name: string }> = {
  authorize(request, response, role) {
    if (role === "reader" || request.headers["x-role"] === role) return true;
    writeProblem(response, { ...refusal("role.too_low"), status: 403 });
    return false;
  },
  callerOf: () => ({ name: "ann" }),
  bodyParser: () => express.json(),
  bodyOf: (request) => request.body,
  refuseQuery: () => refusal("query.invalid"),
  refuseBody: () => refusal("body.invalid"),
};

let server: Server;
beforeAll(async () => {
  const app = express();
  mountRoutes(app, bookRoutes, surface, { titles: new Map([[id, "Emma"]]) });
  refuseOtherMethods(app, bookRoutes);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function send(method: string, path: string, body?: unknown) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as object };
}

describe("a mounted route", () => {
  test("hands its handler the parameters, the query with its defaults and the caller", async () => {
    expect(await send("GET", `/books/${id}?language=`)).toMatchObject({
      status: 200,
      body: { title: "Emma", language: "en", readBy: "ann" },
    });
  });

  test("responds to null and a parameter that can be no id with its own 404", async () => {
    const unknown = id.replace("019", "029");

    for (const path of [unknown, "nonsense"]) {
      expect(await send("GET", `/books/${path}`)).toMatchObject({
        status: 404,
        body: { code: "book.missing", detail: `There is no book ${path}.` },
      });
    }
  });

  test("refuses a query and a body that do not fit in the words of the surface", async () => {
    expect(await send("GET", `/books/${id}?language=fr`)).toMatchObject({ body: { code: "query.invalid" } });
    expect(await send("PUT", `/books/${id}?unknown=1`, { title: "Emma" })).toMatchObject({
      body: { code: "query.invalid" },
    });
    expect(await send("PUT", `/books/${id}`, { title: 1 })).toMatchObject({ body: { code: "body.invalid" } });
  });

  test("asks for the role that a body takes before it says what is wrong with the body", async () => {
    expect(await send("PUT", `/books/${id}`, { secret: true })).toMatchObject({ body: { code: "role.too_low" } });
  });

  test("sends a success with the status that it describes, and problems that are returned or thrown", async () => {
    const written = await send("PUT", `/books/${id}`, { title: "Emma" });

    expect(written).toMatchObject({ status: 201, body: { written: "1970-01-01T00:00:00.000Z" } });
    expect(written.headers.get("location")).toBe(`/books/${id}`);
    expect(await send("PUT", `/books/${id}`, { title: "taken" })).toMatchObject({
      status: 409,
      body: { code: "book.taken" },
    });
    expect(await send("PUT", `/books/${id}`, { title: "thrown" })).toMatchObject({ body: { code: "book.thrown" } });
  });

  test("responds to other methods with 405 and all that its path has", async () => {
    const refused = await send("DELETE", `/books/${id}`);

    expect(refused).toMatchObject({ status: 405, body: { code: "api.method_not_allowed" } });
    expect(refused.headers.get("allow")).toBe("GET, HEAD, PUT");
  });
});

test("clients get the types of a route: instants as texts, defaults not needed", () => {
  type Types = RouteTypes<typeof bookRoutes>;
  const written: Types["PUT /books/{id}"]["response"] = { written: "1970-01-01T00:00:00.000Z" };
  const wanted: Types["GET /books/{id}"]["query"] = "language";

  expect([written.written, wanted]).toHaveLength(2);
  // @ts-expect-error a map of titles is needed
  const mount = () => mountRoutes(express(), routes, surface, {});
  expect(mount).toBeInstanceOf(Function);
});
