import { describe, expect, test } from "vitest";
import { describeAgencySide } from "../../../src/app/openapi-documents.ts";
import { pingBody, pingSchema } from "../../../src/sender/events/outgoing-event.ts";
import { outgoingEventTypes } from "../../../src/sender/events/ports.ts";

test("a ping says when it was sent, and nothing else", () => {
  const now = new Date("2026-11-21T10:00:00.123Z");
  const ping = pingSchema.parse(JSON.parse(Buffer.from(pingBody({ now: () => now })).toString("utf8")));

  expect(ping).toEqual({ id: ping.id, type: "ping", createdAt: now.toISOString() });
});

describe("the description of the agency side", () => {
  const { webhooks } = describeAgencySide() as { readonly webhooks: Readonly<Record<string, object>> };

  test.each([...outgoingEventTypes, "ping"])("has the webhook %s with its body", (type) => {
    expect(webhooks[type]).toMatchObject({
      post: { requestBody: { content: { "application/json": { schema: expect.anything() } } } },
    });
  });
});
