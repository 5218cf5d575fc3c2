import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { readExample } from "../../../src/app/contract-examples.ts";
import {
  acknowledgementSchema,
  acknowledgeResponse,
  readAcknowledgement,
} from "../../../src/contract/acknowledgement.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleEnvelope, exampleOf } from "../../builders/examples.ts";
import { bytesOf } from "../../builders/order-view.ts";

interface Example {
  readonly name: Parameters<typeof readExample>[0];
  readonly part: Parameters<typeof readExample>[1];
  readonly schema: z.ZodType;
  /** Whether the tolerant reader takes it. */
  readonly isRead: (json: unknown) => boolean;
}

const examples: readonly Example[] = [
  ...everyOperation.flatMap(({ name, ...operation }): readonly Example[] => [
    { name, part: "request", schema: operation.requestSchema, isRead: (json) => operation.readRequest(json).ok },
    { name, part: "response", schema: operation.responseSchema, isRead: (json) => operation.interpret(json).ok },
  ]),
  {
    name: "OCN",
    part: "request",
    schema: orderViewResponseSchema,
    isRead: (json) => readNotification(bytesOf(json)).ok,
  },
  { name: "OCN", part: "response", schema: acknowledgementSchema, isRead: readAcknowledgement },
];

describe("the examples of the contract", () => {
  test("are one request and one response of each operation and of the notification, and no other", () => {
    const files = readdirSync(new URL("../../../src/contract/examples/", import.meta.url));

    expect(files.sort()).toEqual(examples.map(({ name, part }) => `${name}.${part}.json`).sort());
  });

  test.each(examples)("satisfy the strict schema and are read: $part of $name", ({ name, part, schema, isRead }) => {
    const json = readExample(name, part);

    expect(schema.safeParse(json).error).toBeUndefined();
    expect(isRead(json)).toBe(true);
  });

  test.each(everyOperation)("have the request that the contract makes of what it reads: $name", (operation) => {
    const { query, request } = exampleOf(operation);

    expect(JSON.stringify(operation.request(query, exampleEnvelope))).toBe(JSON.stringify(request));
  });

  test("have the acknowledgement that is sent", () => {
    expect(JSON.stringify(readExample("OCN", "response"))).toBe(JSON.stringify(acknowledgeResponse()));
  });
});
