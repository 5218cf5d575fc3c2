import { describe, expect, test } from "vitest";
import {
  type CallResult,
  type CancelResult,
  createGatewayClient,
  type GatewayCalls,
  type GatewayClient,
  type GatewayError,
  type InvoluntaryResult,
  type OperationName,
  type OrderQuery,
  type OrderView,
  type QueryOf,
  type ResultOf,
  Secret,
  type VoidQuery,
  type VoidResult,
} from "../../../src/index.ts";

/**
 * What the compiler promises a caller. `tsc` is what tests it: a type that changes does not compile, and neither does a
 * `@ts-expect-error` above a line that is no error any more. Nothing is sent: the methods are not called.
 */
describe("the types of the client", () => {
  const client = createGatewayClient({ baseUrl: "http://127.0.0.1:1", accessToken: new Secret("none") });

  test("have a method for each operation, and close", () => {
    same<keyof GatewayCalls, Uncapitalize<OperationName>>(true);
    same<keyof GatewayClient, Uncapitalize<OperationName> | "close">(true);
    expect(typeof client.airReservationStatus).toBe("function");
  });

  test("say exactly what is asked and returned", () => {
    same<Awaited<ReturnType<GatewayClient["airReservationStatus"]>>, CallResult<OrderView>>(true);
    same<Parameters<GatewayClient["airReservationStatus"]>[0], OrderQuery>(true);
    same<ResultOf<"AirOrderInvoluntaryAccept">, readonly InvoluntaryResult[]>(true);
    same<ResultOf<"AirOrderInvoluntaryCancel">, readonly InvoluntaryResult[]>(true);
    same<ResultOf<"AirOrderCancel">, readonly CancelResult[]>(true);
    same<QueryOf<"AirTicketVoid">, VoidQuery>(true);
    same<ResultOf<"AirTicketVoid">, VoidResult>(true);
    same<CallResult<OrderView>["wire"], unknown>(true);
    same<GatewayError["phase"], "before-sending" | "unknown" | "responded">(true);
  });

  test("leave no query and no result open", () => {
    same<{ [Name in OperationName]: IsOpen<QueryOf<Name>> }[OperationName], false>(true);
    same<{ [Name in OperationName]: IsOpen<ResultOf<Name>> }[OperationName], false>(true);
  });

  test("refuse what is wrong", () => {
    const wrong = [
      // @ts-expect-error the references are missing
      () => client.airReservationStatus({ orderId: "QX7R2M1A" }),
      // @ts-expect-error a list is wanted
      () => client.airReservationStatus({ orderId: "QX7R2M1A", gdsBookingReferences: "LHSKD1" }),
      // @ts-expect-error the tickets are missing
      () => client.airTicketVoid({ orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] }),
      // @ts-expect-error identifiers of 19 digits are no numbers
      () => client.airOfferPrice({ shoppingResponseId: 1, offerIds: ["1"], passengers: [] }),
      // @ts-expect-error the passengers are missing
      () => client.airOfferPrice({ shoppingResponseId: "1", offerIds: ["1"] }),
      // @ts-expect-error there is no such operation
      () => client.airShopping({}),
      // @ts-expect-error the method's name begins with a lower letter
      () => client.AirReservationStatus({ orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] }),
      // @ts-expect-error a token is no plain text
      () => createGatewayClient({ baseUrl: "http://127.0.0.1:1", accessToken: "0123abcd" }),
      // @ts-expect-error there is no such operation
      () => createGatewayClient({ baseUrl: "", accessToken: new Secret(""), notOffered: ["AirShopping"] }),
    ];

    expect(wrong).toHaveLength(9);
  });
});

/** Compiles with `true` for two types that are the same, and with `false` for two that are not. */
function same<One, Other>(
  _are: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false,
): void {}

/** Whether a type is `any`, `unknown` or `never`: one that checks nothing. */
type IsOpen<Type> = unknown extends Type ? true : [Type] extends [never] ? true : false;
