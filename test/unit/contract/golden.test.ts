import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import type { z } from "zod";
import {
  acknowledgementSchema,
  acknowledgeResponse,
  readAcknowledgement,
} from "../../../src/contract/acknowledgement.ts";
import { notificationExample } from "../../../src/contract/examples/order-view.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { everyOperation } from "../../builders/every-operation.ts";

/** A body as it goes over the wire, kept in a file so that a change of the contract is seen in a review. */
interface GoldenBody {
  readonly file: string;
  readonly made: unknown;
  readonly schema: z.ZodType;
  /** Whether the tolerant reader takes it. */
  readonly isRead: (json: unknown) => boolean;
}

const bodies: readonly GoldenBody[] = [
  ...everyOperation.flatMap((operation): readonly GoldenBody[] => [
    {
      file: `${operation.name}.request.json`,
      made: operation.examples.request,
      schema: operation.requestSchema,
      isRead: (json) => operation.readRequest(json).ok,
    },
    {
      file: `${operation.name}.response.json`,
      made: operation.examples.response,
      schema: operation.responseSchema,
      isRead: (json) => operation.interpret(json).ok,
    },
  ]),
  {
    file: "OCN.request.json",
    made: notificationExample,
    schema: orderViewResponseSchema,
    isRead: (json) => readNotification(Buffer.from(JSON.stringify(json))).ok,
  },
  {
    file: "OCN.response.json",
    made: acknowledgeResponse(),
    schema: acknowledgementSchema,
    isRead: readAcknowledgement,
  },
];

const folder = new URL("../../golden/", import.meta.url);

/**
 * `GOLDEN=renew npm test -- test/unit/contract/golden.test.ts && npm run format` writes the files anew; look at their
 * difference before you keep them.
 */
if (process.env["GOLDEN"] === "renew") {
  mkdirSync(folder, { recursive: true });
  for (const { file, made } of bodies) writeFileSync(new URL(file, folder), JSON.stringify(made, null, 2));
}

describe("the golden files", () => {
  test("are one request and one response of each operation and of the notification, and no other", () => {
    expect(readdirSync(folder).sort()).toEqual(bodies.map(({ file }) => file).sort());
  });

  test.each(bodies)("$file is what the contract makes, by its strict schema, and is read", ({ file, ...body }) => {
    const json: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));

    // Different on purpose? GOLDEN=renew npm test -- test/unit/contract/golden.test.ts && npm run format
    expect(JSON.stringify(json, null, 2)).toBe(JSON.stringify(body.made, null, 2));
    expect(body.schema.safeParse(json).error).toBeUndefined();
    expect(body.isRead(json)).toBe(true);
  });
});
