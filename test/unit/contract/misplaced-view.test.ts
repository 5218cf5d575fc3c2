import { describe, expect, test } from "vitest";
import { readNotifiedOrders } from "../../../src/contract/notified-orders.ts";
import { anOrderView, bytesOf } from "../../builders/order-view.ts";

const view = anOrderView();
const text = JSON.stringify(view);
const base64 = Buffer.from(text).toString("base64");
const { OrderViewRS } = view as { readonly OrderViewRS: object };

function messageFor(body: unknown): string {
  const read = readNotifiedOrders(bytesOf(body), 500);
  return read.ok ? "usable" : read.problem.message;
}

describe("an order view in the wrong place is named in the message", () => {
  const insideText = "The body is a JSON text inside a JSON text. Send the object itself.";
  const own = "Send that object itself.";

  test.each<[string, unknown, string]>([
    ["encoded twice", JSON.stringify(text), insideText],
    ["encoded three times", JSON.stringify(JSON.stringify(text)), insideText],
    ["a list encoded twice", JSON.stringify(`[${text},${text}]`), insideText],
    ["CloudEvents", { specversion: "1.0", type: "ocn", data: view }, `An order view was found under data. ${own}`],
    [
      "CloudEvents in base64",
      { specversion: "1.0", data_base64: base64 },
      `An order view was found in base64 under data_base64. ${own}`,
    ],
    [
      "SNS",
      { Type: "Notification", Message: text, Signature: "c2ln" },
      `An order view was found as a JSON text under Message. ${own}`,
    ],
    ["Duffel", { type: "x", data: { object: view } }, `An order view was found under data.object. ${own}`],
    [
      "Pub/Sub",
      { message: { data: base64, messageId: "1" } },
      `An order view was found in base64 under message.data. ${own}`,
    ],
    ["EventBridge", { "detail-type": "OCN", detail: OrderViewRS }, `An order view was found under detail. ${own}`],
    ["records", { Records: [{ body: text }] }, `An order view was found as a JSON text under Records.0.body. ${own}`],
    ["a SOAP body", { Envelope: { Body: view } }, `An order view was found under Envelope.Body. ${own}`],
    [
      "an envelope in a text",
      { payload: JSON.stringify({ event: { ocn: view } }) },
      `An order view was found as a JSON text under payload.event.ocn. ${own}`,
    ],
    ["a text as root", { OrderViewRS: text }, `An order view was found as a JSON text under OrderViewRS. ${own}`],
    [
      "a further root",
      { OrderViewRS: { Response: OrderViewRS } },
      `An order view was found under OrderViewRS.Response. ${own}`,
    ],
    ["a name of another language", { "日本 ": view }, `An order view was found under …. ${own}`],
  ])("%s", (_, body, expected) => {
    const message = messageFor(body);

    expect(message.endsWith(` ${expected}`)).toBe(true);
  });

  test("without a word that the view has no Order, which it has where it was found", () => {
    expect(messageFor({ OrderViewRS: { Response: OrderViewRS } })).toBe(
      `No Order stands at /OrderViewRS/Order. An order view was found under OrderViewRS.Response. ${own}`,
    );
  });

  test.each<[string, unknown]>([
    ["nothing like one", { data: { OrderID: "A1" } }],
    ["texts that are no JSON", { Message: "{not json", data: "eyJhbGciOi" }],
    ["an Order without an id", { data: { Order: [{}] } }],
  ])("and nothing is said of a body with %s", (_, body) => {
    expect(messageFor(body)).toBe("The body has no OrderViewRS object and no Order of its own.");
  });

  test("a body of a hundred thousand values is read within its bounds", () => {
    expect(messageFor({ list: Array.from({ length: 100_000 }, () => ({ a: "[1]" })) })).toBe(
      "The body has no OrderViewRS object and no Order of its own.",
    );
  });
});
