import { describe, expect, test } from "vitest";
import { errorResponse, readErrors } from "../../../src/contract/gateway-errors.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { respell, spellings } from "../../../src/contract/other-spellings.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf, notificationExample } from "../../builders/examples.ts";

describe.each(spellings)("the spelling %s", (spelling) => {
  test.each(everyOperation.map((operation) => [operation.name, operation] as const))(
    "of a response of %s is read as the same result",
    (_name, operation) => {
      const { response } = exampleOf(operation);

      const { success: _, ...result } = resultOf(operation, response);
      expect(resultOf(operation, respell(response, spelling, operation))).toMatchObject(result);
    },
  );

  test("of a notification is read as the same view", () => {
    const ocn = { responseRoot: "OrderViewRS", responseSchema: orderViewResponseSchema };
    const read = (body: unknown) => {
      const reading = readNotification(Buffer.from(JSON.stringify(body)));
      return reading.ok ? reading.view : reading.problem;
    };

    expect(read(respell(notificationExample, spelling, ocn))).toEqual(read(notificationExample));
  });

  test("changes a response, or an error, and never its error", () => {
    const error = { code: "24", text: "INVAILD_SHOPPPING_RES_ID" };
    const isChanged = everyOperation.map((operation) => {
      const refused = errorResponse(operation.responseRoot, error);
      const respelled = respell(refused, spelling, operation);
      expect(readErrors(respelled, operation.responseRoot)).toEqual([error]);
      const { response } = exampleOf(operation);
      const respelledResponse = respell(response, spelling, operation);
      return JSON.stringify([respelled, respelledResponse]) !== JSON.stringify([refused, response]);
    });

    expect(isChanged).toContain(true);
  });
});

function resultOf(operation: Operation, body: unknown) {
  const reading = operation.interpret(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.result as { readonly success?: unknown };
}

test("other names are those that gateways are known to use", () => {
  const reshop = everyOperation.find(({ name }) => name === "AirOrderReshop")!;
  const text = JSON.stringify(respell(exampleOf(reshop).response, "other-names", reshop));

  expect(text).toContain('"ReshopOffers":[{"ReshopOffer":[');
  expect(text).toContain('"SegmentReferences"');
  expect(text).toContain('"OnflyMarkup"');
  expect(text).not.toContain('"AgentMarkup"');
});
