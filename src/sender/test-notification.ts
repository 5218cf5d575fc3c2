import { responseVersion } from "../contract/envelope.ts";

/** No real order has this id: the gateway's ids mix letters and digits. */
export const testOrderId = "TEST0000";

/** Has no flights and no change, so recipients ignore it. */
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
