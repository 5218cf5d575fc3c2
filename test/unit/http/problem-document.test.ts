import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Problem, toProblemDocument, writeProblem } from "../../../src/http/problem-document.ts";

const problem: Problem = {
  status: 422,
  code: "ocn.no_order",
  title: "No usable notification",
  detail: "There is no Order with an OrderID.",
  extensions: { path: "/OrderViewRS/Order", status: 200, type: "about:blank" },
};

describe("toProblemDocument", () => {
  test("names the problem by a stable URN and keeps extensions from replacing what is fixed", () => {
    const document = toProblemDocument(problem);

    expect(document).toEqual({
      type: "urn:skedchange:problem:ocn.no_order",
      title: "No usable notification",
      status: 422,
      code: "ocn.no_order",
      detail: "There is no Order with an OrderID.",
      path: "/OrderViewRS/Order",
    });
  });
});

describe("writeProblem", () => {
  const server = createServer((request, response) => {
    if (request.url === "/begun") response.write("begun ");
    writeProblem(response, problem, { "Retry-After": "5", "WWW-Authenticate": ["Basic", "Bearer"] });
    if (request.url === "/begun") response.end("and ended");
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("responds with the document, the headers given, and nothing to cache", async () => {
    const response = await fetch(url);

    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("retry-after")).toBe("5");
    expect(response.headers.get("www-authenticate")).toBe("Basic, Bearer");
    expect(await response.json()).toEqual(toProblemDocument(problem));
  });

  test("leaves a response alone that was already begun", async () => {
    const response = await fetch(`${url}/begun`);

    expect(response.status).toBe(200);
    expect(await response.text()).toBe("begun and ended");
  });

  test("lets the sixth refusal of a connection wait for a second", () => {
    vi.useFakeTimers();
    try {
      const ended: number[] = [];
      const socket = new Socket();
      const respond = (end: () => void) => ({ socket, setHeader() {}, end }) as unknown as ServerResponse;
      for (let refusal = 1; refusal <= 6; refusal += 1) {
        writeProblem(
          respond(() => void ended.push(refusal)),
          { ...problem, status: 401 },
        );
      }
      expect(ended).toEqual([1, 2, 3, 4, 5]);

      vi.advanceTimersByTime(1_000);

      expect(ended).toEqual([1, 2, 3, 4, 5, 6]);
    } finally {
      vi.useRealTimers();
    }
  });
});
