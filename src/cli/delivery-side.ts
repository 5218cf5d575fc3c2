import type { Command } from "commander";
import type { Call } from "../http/call-route.ts";
import type { RouteTypes } from "../http/route.ts";
import { outgoingEventTypes } from "../sender/events/ports.ts";
import type { notificationRoutes } from "../sender/notification-routes.ts";
import { createApiClient } from "./api-client.ts";
import { createControlClient } from "./control-client.ts";
import { addAgencyOptions, addGatewayOptions, type ServerOptions } from "./server-options.ts";
import type { Terminal } from "./terminal.ts";

/** By the name of the route. */
export type DeliveryTypes = RouteTypes<typeof notificationRoutes>;

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
  /** An extra column in the list of recipients. */
  readonly column: { readonly title: string; readonly member: string };
  /** Extra options that filter deliveries. */
  readonly filters: readonly DeliveryFilterOption[];
}

export interface DeliveryFilterOption {
  /** As for commander: `--airline <code>`. */
  readonly flags: string;
  readonly description: string;
  /** The name under which commander returns it: `airline`. */
  readonly option: string;
  readonly parameter: string;
}

export function gatewaySide(terminal: Terminal): DeliverySide {
  return {
    what: "notifications",
    test: "a test notification for an order that does not exist",
    described: "docs/sender.md",
    addOptions: (command) => addGatewayOptions(command, terminal),
    open: (options) => createControlClient(terminal, options),
    column: { title: "Agency", member: "agencyId" },
    filters: [{ flags: "--airline <code>", description: "only this airline", option: "airline", parameter: "airline" }],
  };
}

export function agencySide(terminal: Terminal): DeliverySide {
  return {
    what: "events",
    test: "a test event",
    described: "docs/events.md",
    addOptions: (command) => addAgencyOptions(command, terminal),
    open: (options) => createApiClient(terminal, options),
    column: { title: "Events", member: "eventTypes" },
    filters: [
      {
        flags: "--event <type>",
        description: `of one kind: ${outgoingEventTypes.join(", ")}`,
        option: "event",
        parameter: "eventType",
      },
      { flags: "--source <name>", description: "about cases of one source", option: "source", parameter: "source" },
    ],
  };
}
