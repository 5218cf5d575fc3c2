import { readdir, readFile, stat } from "node:fs/promises";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, test } from "vitest";
import { describeAgencySide, describeGatewaySide, describeSenderSide } from "../../../src/app/openapi-documents.ts";
import { errorResponse } from "../../../src/contract/gateway-errors.ts";
import { gatewayErrors } from "../../../src/contract/openapi/describe-operations.ts";
import { describeProblem, receiverErrors } from "../../../src/receiver/receiver-problems.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: { usual: { value: unknown } } }> };
  readonly responses: Record<
    string,
    { readonly $ref?: string; readonly description: string; readonly content?: Record<string, unknown> }
  >;
}
interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, OpenApiOperation>>;
  readonly webhooks: Record<string, { readonly post: OpenApiOperation }>;
  readonly components: {
    readonly schemas: Record<string, { properties?: Record<string, { $ref?: string }> }>;
    readonly responses: Record<string, { readonly description: string }>;
  };
}

const agency = describeAgencySide() as unknown as OpenApiDocument;
const gateway = describeGatewaySide() as unknown as OpenApiDocument;
const sender = describeSenderSide() as unknown as OpenApiDocument;
const sides = [
  ["agency", agency],
  ["gateway", gateway],
] as const;

const root = new URL("../../../", import.meta.url);

describe.each([...sides, ["sender", sender] as const])("the OpenAPI document of the %s", (side, document) => {
  test("has nothing that a linter finds wrong", async () => {
    const config = await createConfig({
      extends: ["recommended"],
      rules: {
        "no-invalid-media-type-examples": "error",
        "no-unused-components": "error",
        // Health, metrics, keys and this document are read without parameters or credentials: nothing can be wrong.
        "operation-4xx-response": "off",
      },
    });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: `${side}.json`, config });

    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });
});

describe.each(sides)("the OpenAPI document of the %s side", (side, document) => {
  test("is short enough to be reviewed as a file", async () => {
    const { size } = await stat(new URL(`docs/openapi/${side}.json`, root));

    expect(size).toBeLessThan(460_000);
  });

  test("resolves every reference", () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);

    expect(references.length).toBeGreaterThan(50);
    for (const name of references) expect(document.components.schemas).toHaveProperty(name);
    expect(text).not.toContain("$defs");
  });

  test("says nothing of how we read, and all that the interface document says", () => {
    const text = JSON.stringify(document.components);

    expect(text).toContain('"x-section":"Schedule-change objects"');
    expect(text).toContain('"x-aliases":["SegmentReferences"]');
    expect(text).not.toMatch(/"(reads|bare)":"/);
  });

  test("names itself by PUBLIC_URL and never by a host that it does not know", () => {
    const describeSide = side === "agency" ? describeAgencySide : describeGatewaySide;

    expect(document.servers).toEqual([{ url: "/" }]);
    expect(describeSide({ serverUrl: "https://desk.example.org" })["servers"]).toEqual([
      { url: "https://desk.example.org" },
    ]);
  });

  test("shows the notification as a webhook that is responded to with an acknowledgement", () => {
    const { post } = document.webhooks["orderChangeNotification"]!;

    expect(post.requestBody?.content["application/json"]?.examples?.usual.value).toHaveProperty("OrderViewRS.Order");
    expect(JSON.stringify(post.responses["200"])).toContain("AcknowledgeResponse");
  });

  test("gives every operation an id of its own", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );

    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the document of the gateway side", () => {
  test.each(everyOperation.map((operation) => [operation.name, operation] as const))(
    "describes %s with its examples, headers and errors",
    (name, operation) => {
      const described = gateway.paths[`/${name}`]!["post"]!;

      expect(described.requestBody?.content["application/json"]?.examples?.usual.value).toEqual(
        exampleOf(operation).request,
      );
      expect(described.responses["200"]?.content?.["application/json"]).toMatchObject({
        examples: { usual: { value: exampleOf(operation).response } },
      });
      expect(described.security[0]).toEqual({ accessToken: [], apiKey: [] });
      expect(Object.keys(described.responses)).toEqual(["200", "400", "401", "404", "413", "415", "500"]);
    },
  );

  test("shows errors in the shape that the gateway gives them", () => {
    const body = errorResponse("OrderViewRS", { code: "29", text: "The request names no OrderID." });

    expect(gatewayErrors.safeParse(body["OrderViewRS"]).success).toBe(true);
    expect(gatewayErrors.safeParse({ Errors: {} }).success).toBe(false);
  });

  test("has one component for each element, however many responses refer to it", () => {
    const { OrderView, Offer, Money } = gateway.components.schemas;

    expect(OrderView?.properties?.["DataLists"]?.$ref).toBe("#/components/schemas/OrderDataLists");
    expect(Offer?.properties?.["TotalPrice"]?.$ref).toBe("#/components/schemas/Money");
    expect(Object.keys(Money?.properties ?? {})).toEqual(["BookingCurrencyPrice", "EquivCurrencyPrice"]);
  });
});

describe("the document of the agency side", () => {
  test("names every problem of the push target under its status", () => {
    const { responses } = agency.paths["/ocn"]!["post"]!;

    for (const code of Object.values(receiverErrors)) {
      if (code === receiverErrors.bodyAborted) continue;
      const { status } = describeProblem(code).problem;
      const { $ref = "", ...written } = responses[String(status)]!;
      const shared = agency.components.responses[$ref.replace("#/components/responses/", "")];
      expect({ ...written, ...shared }.description).toContain(`\`${code}\``);
    }
  });

  test("names every code that the API responds with", async () => {
    const text = JSON.stringify(agency);
    const folder = new URL("src/dashboard/api/", root);
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), "utf8")));
    const codes = new Set(
      files.flatMap((file) => [...file.matchAll(/code: "([a-z]+\.[a-z_]+)"/g)].map(([, code]) => code!)),
    );

    expect(codes.size).toBeGreaterThan(20);
    expect([...codes].filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });

  test("names the query parameters with their limits", () => {
    const { parameters } = agency.paths["/api/v1/cases"]!["get"] as unknown as {
      readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
    };

    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["orderId", "state", "source", "queue", "q", "order", "cursor", "limit"]),
    );
    expect(parameters.every(({ required }) => !required)).toBe(true);
  });
});
