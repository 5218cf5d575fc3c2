import { responseVersion } from "../contract/envelope.ts";

/** No real order has this id: the gateway's ids mix letters and digits. */
export const testOrderId = "TEST0000";

/** The smallest valid notification: its order does not exist and has no change, so a recipient finds nothing to do. */
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
