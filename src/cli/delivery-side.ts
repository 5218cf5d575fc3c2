import type { Command } from "commander";
import type { Call } from "../http/call-route.ts";
import type { RouteTypes } from "../http/route.ts";
import { outgoingEventTypes } from "../sender/events/ports.ts";
import type { notificationRoutes } from "../sender/notification-routes.ts";
import { createApiClient } from "./api-client.ts";
import { type ControlOptions, createControlClient } from "./control-client.ts";
import { defaultGatewayUrl, defaultServerUrl } from "./own-settings.ts";
import type { Terminal } from "./terminal.ts";

/** The routes of recipients and deliveries. */
export interface DeliveryClient {
  readonly call: Call<RouteTypes<typeof notificationRoutes>>;
}

/** A side that delivers to recipients: the gateway its notifications, the agency its own events. */
export interface DeliverySide {
  /** What it delivers. */
  readonly what: "notifications" | "events";
  /** What it sends to try a recipient out. */
  readonly test: string;
  /** Where the JSON of a recipient is described. */
  readonly described: string;
  /** Adds the options by which it is found. */
  addAddress(command: Command): Command;
  open(options: ControlOptions): DeliveryClient;
  /** The column that lists of recipients have of this side only. */
  readonly column: { readonly title: string; readonly member: string };
  /** By what deliveries are found at this side only. */
  readonly filters: readonly DeliveryFilterOption[];
}

export interface DeliveryFilterOption {
  /** As for commander: `--airline <code>`. */
  readonly flags: string;
  readonly description: string;
  /** The name of the option once it is read. */
  readonly option: string;
  /** The parameter of the route. */
  readonly parameter: string;
}

export function gatewaySide(terminal: Terminal): DeliverySide {
  return {
    what: "notifications",
    test: "a test notification for an order that does not exist",
    described: "docs/sender.md",
    addAddress: (command) =>
      command
        .option("--url <url>", "URL of the gateway side", defaultGatewayUrl(terminal))
        .option("--token <token>", "control token (default: GATEWAY_CONTROL_TOKEN, else that of the demo)"),
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
    addAddress: (command) =>
      command
        .option("--url <url>", "URL of the agency side", defaultServerUrl(terminal))
        .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)"),
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
