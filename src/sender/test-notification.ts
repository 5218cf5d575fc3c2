import { responseVersion } from "../contract/envelope.ts";

/** The order of every test notification. No order has this id: the gateway's own have letters and digits mixed. */
export const testOrderId = "TEST0000";

/**
 * An Order Change Notification as small as the contract allows, of an order that does not exist and has no change: a
 * recipient that looks at it finds nothing to do.
 */
export function testNotification(): Buffer {
  return Buffer.from(
    JSON.stringify({
      OrderViewRS: {
        Document: { Name: "API GATEWAY", ReferenceVersion: responseVersion },
        Success: {},
        Order: [
          {
            OrderID: testOrderId,
            GdsBookingReference: testOrderId,
            OrderStatus: "SUCCESS",
            PnrStatus: "CONFIRMED",
            ScheduleChangeIndicator: false,
            ScheduleChangeStatus: "",
            OfferItem: [],
            ScheduleChange: [],
          },
        ],
        DataLists: {},
        MetaData: {},
        threeDsResponse: "",
      },
    }),
  );
}
