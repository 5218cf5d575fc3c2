import type { Command } from "commander";
import { outgoingEventTypes } from "../sender/events/ports.ts";
import { createApiClient } from "./api-client.ts";
import { type ControlClient, type ControlOptions, createControlClient } from "./control-client.ts";
import { defaultGatewayUrl, defaultServerUrl } from "./own-settings.ts";
import type { Terminal } from "./terminal.ts";

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
  open(options: ControlOptions): ControlClient;
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
    test: "a notification of an order that does not exist",
    described: "docs/sender.md",
    addAddress: (command) =>
      command
        .option("--url <url>", "the gateway side", defaultGatewayUrl(terminal))
        .option("--token <token>", "control token (not given: GATEWAY_CONTROL_TOKEN, else the demo's)"),
    open: (options) => createControlClient(terminal, options),
    column: { title: "AGENCY", member: "agencyId" },
    filters: [{ flags: "--airline <code>", description: "of one airline", option: "airline", parameter: "airline" }],
  };
}

export function agencySide(terminal: Terminal): DeliverySide {
  return {
    what: "events",
    test: "an event that tells of nothing",
    described: "docs/events.md",
    addAddress: (command) =>
      command
        .option("--url <url>", "the agency side", defaultServerUrl(terminal))
        .option("--token <token>", "API token (not given: API_TOKEN, else the demo's)"),
    open: (options) => openAgency(terminal, options),
    column: { title: "EVENTS", member: "eventTypes" },
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

/** The routes of recipients below `/api/v1`, in the shape of the control routes. */
function openAgency(terminal: Terminal, options: ControlOptions): ControlClient {
  const api = createApiClient(terminal, options);
  const given = (query: Readonly<Record<string, string | null>>) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value ?? undefined]));
  return {
    url: options.url,
    get: (path, query = {}) => api.get(`/api/v1${path}`, given(query)),
    post: (path, body) => api.post(`/api/v1${path}`, body),
    patch: (path, body) => api.patch(`/api/v1${path}`, body),
    remove: (path) => api.remove(`/api/v1${path}`),
  };
}
