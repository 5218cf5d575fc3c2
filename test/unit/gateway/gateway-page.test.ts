import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { gatewayTables } from "../../../scripts/render-gateway.ts";
import { operationNames } from "../../../src/contract/operations/registry.ts";
import { faultKinds } from "../../../src/gateway/fault-kinds.ts";
import { stateTransitions } from "../../../src/gateway/order-states.ts";
import { changeKinds, pnrStatuses, scheduleChangeStatuses } from "../../../src/gateway/ports.ts";
import { scenarios } from "../../../src/gateway/scenarios/scenarios.ts";

const page = readFileSync(new URL("../../../docs/gateway.md", import.meta.url), "utf8");

describe("the page of the gateway", () => {
  test("holds each generated table as it is rendered now", () => {
    for (const [name, render] of Object.entries(gatewayTables)) {
      expect(page).toContain(`<!-- generated: ${name} -->\n\n${render()}\n\n<!-- end of generated -->`);
    }
  });

  test("names every operation, kind of change, fault and scenario", () => {
    const kinds = changeKinds.filter((kind) => kind !== "loaded");
    const named = [...operationNames, ...kinds, ...faultKinds.map(({ mode }) => mode), ...scenarios.map((s) => s.name)];
    for (const name of named) expect(page).toContain(`\`${name}\``);
  });

  test("shows every move, and every status that one leads to", () => {
    const rows = gatewayTables["states"]!().split("\n").slice(2);
    expect(rows).toHaveLength(stateTransitions.length);
    const targets = rows.map((row) => row.split("|")[3]).join();
    for (const status of [...pnrStatuses, ...scheduleChangeStatuses].filter(Boolean)) expect(targets).toContain(status);
  });

  test.each([
    "Flight search",
    "Booking creation",
    "Ticketing operations",
    "Payment operations",
    "OrderStatus, PaymentStatus, TicketStatus, Owner",
    "positions W, C, A",
    "other than BAG and MEAL",
    "response fields are always present",
    "Transitions of PnrStatus",
    "Transitions of ScheduleChangeStatus",
    "AirTicketVoid with NeedToCancelBooking",
    "Effect of AirOrderInvoluntaryAccept and AirOrderInvoluntaryCancel",
    "set up the recipient",
    "submit a seat, ancillary or service selection",
    "Case-sensitivity of request field names",
    "access token and API key are issued",
    "signing of notifications",
    "Retry policy, time-out and ordering",
    "Other event kinds",
    "Error response body, HTTP status codes and error codes",
    "passenger list breaks the rules",
    "Rate limits",
    "Maximum payload size, request time-outs, maximum array sizes",
    "Deprecation policy and version negotiation",
  ])("says what was chosen where the interface document does not show it: %s", (matter) => {
    const [, table = ""] = page.split("## What was chosen");
    const row = table
      .split("\n## ")[0]!
      .split("\n")
      .find((line) => line.split("|")[1]?.includes(matter));

    expect(row?.split("|")[2]?.trim()).toMatch(/.+/);
  });
});
