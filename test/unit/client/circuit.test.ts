import { beforeEach, describe, expect, test } from "vitest";
import { type Circuit, createCircuit } from "../../../src/client/circuit.ts";
import { GatewayError, type GatewayErrorDetails, gatewayErrorCodes } from "../../../src/contract/failed-call.ts";

const openMs = 1_000;
const changes: (string | null)[] = [];

let nowMs = 0;

beforeEach(() => {
  changes.length = 0;
  nowMs = 0;
});

describe("a circuit", () => {
  test.each([
    ["no connection", "unreachable", null],
    ["no response in time", "timeout", null],
    ["a lost connection", "connectionLost", null],
    ["HTTP 500", "httpStatus", 500],
    ["HTTP 503", "httpStatus", 503],
  ] as const)("opens after as many failures in a row as are allowed: %s", async (_, code, httpStatus) => {
    const circuit = aCircuit();
    await fail(circuit, failure(code, { httpStatus }), 2);
    expect(changes).toEqual([]);

    await fail(circuit, failure(code, { httpStatus }), 1);

    expect(changes).toEqual([gatewayErrorCodes[code]]);
    await expect(circuit.run("AirOrderInvoluntaryAccept", unwanted)).rejects.toMatchObject({
      code: "gateway.circuit_open",
      phase: "before-sending",
      retryable: true,
      operation: "AirOrderInvoluntaryAccept",
      message:
        "AirOrderInvoluntaryAccept was not sent: the gateway failed 3 times in a row and is left alone for 1000 ms.",
    });
  });

  test.each([
    ["a refusal", "refused", 200],
    ["an order that is not there", "httpStatus", 404],
    ["a service that is not implemented", "notOffered", 501],
    ["a request too many", "httpStatus", 429],
    ["a response that cannot be read", "malformedResponse", 200],
  ] as const)("takes %s for a sign of life", async (_, code, httpStatus) => {
    const circuit = aCircuit();

    for (let round = 0; round < 3; round += 1) {
      await fail(circuit, failure("unreachable", {}), 2);
      await fail(circuit, failure(code, { httpStatus }), 1);
    }

    expect(changes).toEqual([]);
  });

  test.each(["aborted", "closed"] as const)("does not count a call that ended from this side: %s", async (code) => {
    const circuit = aCircuit();
    await fail(circuit, failure("unreachable", {}), 2);

    await fail(circuit, failure(code, {}), 5);
    expect(changes).toEqual([]);

    await fail(circuit, failure("unreachable", {}), 1);
    expect(changes).toEqual(["gateway.unreachable"]);
  });

  test("stays open for its time, then lets one call try, and closes when that gets a response", async () => {
    const circuit = aCircuit();
    await fail(circuit, failure("unreachable", {}), 3);

    nowMs = openMs - 1;
    await expect(circuit.run("AirReservationStatus", unwanted)).rejects.toMatchObject({ code: "gateway.circuit_open" });

    nowMs = openMs;
    const response = pending<string>();
    const trying = circuit.run("AirReservationStatus", () => response.promise);
    await expect(circuit.run("AirReservationStatus", unwanted)).rejects.toMatchObject({ code: "gateway.circuit_open" });
    response.resolve("here again");

    expect(await trying).toBe("here again");
    expect(await circuit.run("AirReservationStatus", async () => "open to all")).toBe("open to all");
    expect(changes).toEqual(["gateway.unreachable", null]);
  });

  test("closes when the probing call is refused by a gateway that responds", async () => {
    const circuit = aCircuit();
    await fail(circuit, failure("unreachable", {}), 3);
    nowMs = openMs;

    await fail(circuit, failure("refused", { httpStatus: 200 }), 1);

    expect(changes).toEqual(["gateway.unreachable", null]);
  });

  test.each(["unreachable", "timeout", "aborted", "closed"] as const)(
    "opens again for its whole time when the probing call ends with %s",
    async (code) => {
      const circuit = aCircuit();
      await fail(circuit, failure("unreachable", {}), 3);
      nowMs = openMs;

      await fail(circuit, failure(code, {}), 1);

      nowMs = 2 * openMs - 1;
      await expect(circuit.run("AirReservationStatus", unwanted)).rejects.toMatchObject({
        code: "gateway.circuit_open",
      });
      nowMs = 2 * openMs;
      expect(await circuit.run("AirReservationStatus", async () => "here again")).toBe("here again");
    },
  );

  test.each(["a response", "a failure"])("ignores %s to a call that began before it opened", async (outcome) => {
    const circuit = aCircuit();
    const early = pending<string>();
    const running = circuit.run("AirReservationStatus", async () => {
      await early.promise;
      if (outcome === "a failure") throw failure("timeout", {});
    });
    await fail(circuit, failure("unreachable", {}), 3);
    nowMs = openMs - 1;

    early.resolve("at last");
    await Promise.allSettled([running]);

    await expect(circuit.run("AirReservationStatus", unwanted)).rejects.toMatchObject({ code: "gateway.circuit_open" });
    nowMs = openMs;
    expect(await circuit.run("AirReservationStatus", async () => "here again")).toBe("here again");
    expect(changes).toEqual(["gateway.unreachable", null]);
  });
});

function aCircuit(): Circuit {
  return createCircuit(
    { failuresMax: 3, openMs },
    (openedBy) => changes.push(openedBy?.code ?? null),
    () => nowMs,
  );
}

async function fail(circuit: Circuit, error: GatewayError, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await expect(circuit.run("AirReservationStatus", () => Promise.reject(error))).rejects.toBe(error);
  }
}

async function unwanted(): Promise<never> {
  throw new Error("This must not be called.");
}

function failure(code: keyof typeof gatewayErrorCodes, details: Partial<GatewayErrorDetails>): GatewayError {
  return new GatewayError(gatewayErrorCodes[code], code, {
    operation: "AirReservationStatus",
    phase: "unknown",
    retryable: true,
    ...details,
  });
}

function pending<Value>() {
  let resolve = (_value: Value): void => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
