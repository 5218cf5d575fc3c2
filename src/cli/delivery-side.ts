import { type Command, Option } from "commander";
import type { Call } from "../http/call-route.ts";
import type { DeliveryTypes } from "../sender/delivery-types.ts";
import { outgoingEventTypes } from "../sender/events/ports.ts";
import { createApiClient } from "./api-client.ts";
import { createControlClient } from "./control-client.ts";
import { addAgencyOptions, addGatewayOptions, type ServerOptions } from "./server-options.ts";
import type { Columns } from "./table.ts";
import type { Terminal } from "./terminal.ts";

export interface DeliveryClient {
  readonly call: Call<DeliveryTypes>;
}

/** A side that delivers to recipients: the gateway its notifications, the agency its own events. */
export interface DeliverySide {
  readonly what: "notifications" | "events";
  /** What `recipients test` sends. */
  readonly test: string;
  /** The page that describes the JSON of a recipient. */
  readonly described: string;
  /** Adds `--url`, `--token` and `--json`. */
  addOptions(command: Command): Command;
  open(options: ServerOptions): DeliveryClient;
  /** Extra columns in the list of recipients. */
  readonly columns: Columns<DeliveryTypes["GET /recipients"]["response"]["items"][number]>;
  /** Extra options that filter deliveries, by the parameter of the query. */
  readonly filters: Readonly<Record<string, Option>>;
}

export function gatewaySide(terminal: Terminal): DeliverySide {
  return {
    what: "notifications",
    test: "a test notification for an order that does not exist",
    described: "docs/sender.md",
    addOptions: (command) => addGatewayOptions(command, terminal),
    open: (options) => createControlClient(terminal, options),
    columns: { Agency: (recipient) => ("agencyId" in recipient ? recipient.agencyId : null) },
    filters: { airline: new Option("--airline <code>", "only this airline") },
  };
}

export function agencySide(terminal: Terminal): DeliverySide {
  return {
    what: "events",
    test: "a test event",
    described: "docs/events.md",
    addOptions: (command) => addAgencyOptions(command, terminal),
    open: (options) => createApiClient(terminal, options),
    columns: { Events: (recipient) => ("eventTypes" in recipient ? recipient.eventTypes?.join(" ") : null) },
    filters: {
      eventType: new Option("--event <type>", `of one kind: ${outgoingEventTypes.join(", ")}`),
      source: new Option("--source <name>", "about cases of one source"),
    },
  };
}
