import { describe, expect, test } from "vitest";
import { acknowledgementSchema } from "../../../src/contract/acknowledgement.ts";
import { parseJson } from "../../../src/contract/json.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { operationNames, operations } from "../../../src/contract/operations/registry.ts";
import { exampleEnvelope, exampleOf, notificationExample } from "../../builders/examples.ts";
import { bytesOf } from "../../builders/order-view.ts";

/** Request and response roots as the interface document has them, "Endpoints". */
const roots = {
  AirOfferPrice: ["OfferPriceRQ", "OfferPriceRS"],
  AirOrderReshop: ["OrderReshopRQ", "OrderReshopRS"],
  AirGetBrandedOffers: ["GetBrandedOffersRQ", "GetBrandedOffersRS"],
  AirOfferSplit: ["AirSplitOfferRQ", "AirSplitOfferRS"],
  AirOfferServiceList: ["AirServiceListRQ", "AirServiceListRS"],
  AirSeatMap: ["AirSeatMapRQ", "AirSeatMapRS"],
  AirFareRules: ["FareRulesRQ", "AirFareRulesRS"],
  AirDocRetreive: ["AirDocRetreiveRQ", "OrderViewRS"],
  AirReservationStatus: ["OrderStatusRQ", "OrderViewRS"],
  AirPostBookingAncillary: ["AirServiceListRQ", "AirServiceListRS"],
  AirPostBookingSeatMap: ["AirSeatMapRQ", "AirSeatMapRS"],
  AirOrderCancel: ["OrderCancelRQ", "OrderViewRS"],
  AirTicketVoid: ["AirTicketVoidRQ", "AirTicketVoidRS"],
  AirOrderInvoluntaryAccept: ["OrderInvoluntaryAcceptRQ", "OrderInvoluntaryAcceptRS"],
  AirOrderInvoluntaryCancel: ["OrderInvoluntaryCancelRQ", "OrderInvoluntaryCancelRS"],
};

const all = operationNames.map((name): [string, Operation] => [name, operations[name]]);

function overTheWire(body: unknown): unknown {
  const parsed = parseJson(bytesOf(body));
  return parsed.ok ? parsed.value : null;
}

describe("the operations", () => {
  test("are the fifteen of the interface document, with its roots", () => {
    expect(
      Object.fromEntries(all.map(([name, { requestRoot, responseRoot }]) => [name, [requestRoot, responseRoot]])),
    ).toEqual(roots);
  });

  test("are found under their own name, at the path of that name", () => {
    for (const [name, operation] of all) expect([operation.name, operation.path]).toEqual([name, `/${name}`]);
  });

  test("that a gateway may be without are the optional services of the interface document", () => {
    expect(operationNames.filter((name) => operations[name].optionalService)).toEqual([
      "AirGetBrandedOffers",
      "AirOfferSplit",
      "AirOfferServiceList",
      "AirSeatMap",
      "AirFareRules",
    ]);
  });

  test("that change something are four, and none of them is sent again", () => {
    const changing = operationNames.filter((name) => !operations[name].readOnly);

    expect(changing).toEqual([
      "AirOrderCancel",
      "AirTicketVoid",
      "AirOrderInvoluntaryAccept",
      "AirOrderInvoluntaryCancel",
    ]);
    expect(changing.filter((name) => operations[name].resendable)).toEqual([]);
  });

  test("go to the host for voids only when tickets are voided", () => {
    expect(operationNames.filter((name) => operations[name].host === "void")).toEqual(["AirTicketVoid"]);
  });
});

describe.each(all)("%s", (_, operation) => {
  const { query, request, response } = exampleOf(operation);

  test("reads the query back out of the request", () => {
    expect(operation.readRequest(overTheWire(request))).toEqual({ ok: true, query });
  });

  test("carries a trace identifier there and back", () => {
    const traced = { ...(query as object), traceId: "172406736131" };

    expect(operation.readRequest(overTheWire(operation.request(traced, exampleEnvelope)))).toEqual({
      ok: true,
      query: operation.name === "AirFareRules" ? query : traced,
    });
  });

  test("reads its response example, with and without its root", () => {
    const body = overTheWire(response);
    const wrapped = operation.interpret(body);

    expect(wrapped).toMatchObject({ ok: true });
    expect(operation.interpret((body as Record<string, unknown>)[operation.responseRoot])).toEqual(wrapped);
  });

  test("serves and sends nothing that the interface document does not have", () => {
    const extended = (body: unknown, root: string) => ({
      [root]: { ...(body as Record<string, object>)[root], Extra: "" },
    });

    expect(operation.requestSchema.safeParse(extended(request, operation.requestRoot)).success).toBe(false);
    expect(operation.responseSchema.safeParse(extended(response, operation.responseRoot)).success).toBe(false);
  });

  test("refuses a request without its root, with a code and a path", () => {
    expect(operation.readRequest({})).toMatchObject({
      ok: false,
      problem: { code: "request.no_root", path: `/${operation.requestRoot}` },
    });
  });
});

describe("the notification", () => {
  test("has an example that is read", () => {
    expect(readNotification(bytesOf(notificationExample))).toMatchObject({
      ok: true,
      view: {
        orders: [
          {
            totalPrice: { known: true },
            refundable: { known: true, value: false },
            paymentTimeLimit: { known: true, value: "2027-03-01T17:30:00" },
            seats: [{ origin: "LIS", destination: "FRA", passengerRefs: ["T1"], status: "SUCCESS" }],
            services: [
              {
                serviceDefinitionRef: "SD_1",
                passengerRefs: ["T1"],
                segmentKeys: ["Segment1", "Segment2"],
                status: "SUCCESS",
              },
            ],
          },
        ],
        contacts: { emails: [expect.stringContaining("@")], isRefused: false },
      },
    });
  });

  test("is acknowledged with a status and a message, nothing else", () => {
    const body = { AcknowledgeResponse: { Status: "OK", Message: "received" } };

    expect(acknowledgementSchema.safeParse(body).success).toBe(true);
    expect(acknowledgementSchema.safeParse({ ...body, Extra: 1 }).success).toBe(false);
  });
});
