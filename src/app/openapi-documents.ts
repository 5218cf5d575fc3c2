import { type ApiDescription, type ApiParts, createApiParts } from "../contract/openapi/api-parts.ts";
import { describeNotification } from "../contract/openapi/describe-notification.ts";
import { describeOperations } from "../contract/openapi/describe-operations.ts";
import { openApiDocument } from "../contract/openapi/openapi-document.ts";
import type { Json } from "../contract/openapi/schema-collection.ts";
import { describedEvents, outgoingEventRoles } from "../dashboard/api/api-surface.ts";
import { describeApi } from "../dashboard/api/openapi.ts";
import { controlProblems, describeControl } from "../gateway/control-router.ts";
import { describeReceiver } from "../receiver/describe-receiver.ts";
import { describeEvents } from "../sender/events/describe-events.ts";
import { describeRecipients } from "../sender/notification-routes.ts";
import { introduceAgencySide, introduceGatewaySide } from "./api-introductions.ts";
import { readExample } from "./contract-examples.ts";
import { packageVersion } from "./version.ts";

export interface DocumentOptions {
  /** Never taken from the Host header. Default: relative to the document. */
  readonly serverUrl?: string;
}

export function describeAgencySide(options: DocumentOptions = {}): Json {
  const parts = createApiParts();
  return openApiDocument({
    title: "Skedchange, agency side",
    description: introduceAgencySide(options.serverUrl),
    version: packageVersion,
    ...options,
    parts,
    descriptions: [
      describeReceiver(parts),
      describeApi(parts),
      describeEvents(parts, describedEvents, outgoingEventRoles),
      describeHealth(parts),
      describeOwnDocument("agency"),
      describeNotification(parts, readExample("OCN", "request")),
    ],
  });
}

export function describeGatewaySide(options: DocumentOptions = {}): Json {
  const parts = createApiParts();
  return openApiDocument({
    title: "Air booking gateway",
    description: introduceGatewaySide(options.serverUrl),
    version: packageVersion,
    ...options,
    parts,
    descriptions: [
      describeOperations(parts, readExample),
      describeNotification(parts, readExample("OCN", "request")),
      describeControl(parts),
      describeRecipients(parts, controlProblems),
      describeOwnDocument("gateway"),
    ],
  });
}

/** Describes a process with the role `sender` that has no gateway. */
export function describeSenderSide(options: DocumentOptions = {}): Json {
  const parts = createApiParts();
  return openApiDocument({
    title: "Skedchange, sender",
    description:
      "The notification that is sent to recipients, and the routes by which recipients and deliveries are controlled. The orders and operations of a gateway need the role gateway, too.",
    version: packageVersion,
    ...options,
    parts,
    descriptions: [
      describeNotification(parts, readExample("OCN", "request")),
      describeRecipients(parts, controlProblems),
      describeOwnDocument("gateway"),
    ],
  });
}

const healthTag = "Health";

function describeHealth({ looseResponse }: ApiParts): ApiDescription {
  const state: Json = { type: "object", properties: { status: { type: "string" } }, required: ["status"] };
  const route = (operationId: string, summary: string, responses: Json): Json => ({
    get: { operationId, tags: [healthTag], summary, security: [], responses },
  });
  return {
    tags: [{ name: healthTag, description: "For orchestrators and monitoring. No sign-in." }],
    paths: {
      "/readyz": route("ready", "Whether this process can do its work, part by part", {
        200: looseResponse(
          "It can. A queue that is away is named in `parts`; only a worker or sender alone needs it.",
          state,
        ),
        503: looseResponse("It cannot; `parts` says which part is missing and why.", state),
      }),
      "/metrics": route("readMetrics", "Metrics in the text format of Prometheus", {
        200: { description: "The metrics.", content: { "text/plain": { schema: { type: "string" } } } },
        503: { description: "They cannot be read now." },
      }),
    },
    securitySchemes: {},
  };
}

function describeOwnDocument(side: "agency" | "gateway"): ApiDescription {
  const tag = "Description";
  const open = { tags: [tag], security: [] };
  return {
    tags: [{ name: tag, description: "This document, and whether the process is alive." }],
    paths: {
      "/healthz": {
        get: {
          ...open,
          operationId: "healthy",
          summary: "Whether the process is alive",
          responses: { 200: { description: "It is." } },
        },
      },
      "/openapi.json": {
        get: {
          ...open,
          operationId: "describe",
          summary: `This document: the ${side} side as OpenAPI 3.1`,
          responses: { 200: { description: "The document." } },
        },
      },
      "/docs": {
        get: {
          ...open,
          operationId: "showDescription",
          summary: "This document as a page",
          responses: { 200: { description: "The page." } },
        },
      },
    },
    securitySchemes: {},
  };
}
