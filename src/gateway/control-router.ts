import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from "express";
import type { z } from "zod";
import { parseJson } from "../contract/json.ts";
import { exceedsJsonBounds, orderViewBounds } from "../contract/json-complexity.ts";
import type { ApiDescription, ApiParts } from "../contract/openapi/api-parts.ts";
import { type DescribedRoute, describeRoutes } from "../http/describe-routes.ts";
import { mountRoutes, refuseOtherMethods, type Surface } from "../http/mount-routes.ts";
import { type Problem, writeProblem } from "../http/problem-document.ts";
import { problem, type Responses } from "../http/route.ts";
import { unreadableStatus } from "../http/unreadable-status.ts";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import type { Logger } from "../telemetry/logger.ts";
import { wrongReferenceCount } from "./book-offer.ts";
import { extraErrorCodes } from "./booking/choose-extras.ts";
import { type ControlAccess, controlNotAuthorized, createControlCheck } from "./control-check.ts";
import { type ControlNeeds, controlRoutes, controlTag, InvalidRequest } from "./control-routes.ts";
import { UnusableOrderView, unusableOrderView } from "./load-order-view.ts";
import { OperationRefusal } from "./operation.ts";
import { orderExistsCode, orderNotFoundCode } from "./order-codes.ts";
import { eventErrorCodes } from "./order-events.ts";
import { changeErrorCodes } from "./propose-change.ts";
import { invalidSearch, noShoppingResponse } from "./shopping/search-offers.ts";
import { noSupplyCode } from "./supply/no-supply.ts";
import { holdsUnstorableText } from "./unstorable-text.ts";

export interface ControlRouterOptions extends ControlNeeds, ControlAccess {}

/** In bytes: several times an order view of many passengers. */
const requestBytesMax = 2 * 1024 * 1024;

/**
 * Serves `/control`. Every request needs `Authorization: Bearer <token>` or the session of a page. Requests without a
 * route are passed on, authenticated.
 */
export function createControlRouter(options: ControlRouterOptions): Router {
  const router = express.Router();
  router.use(createControlCheck(options));
  router.use(refuseNul);
  mountRoutes(router, controlRoutes, controlSurface, options);
  refuseOtherMethods(router, controlRoutes);
  router.use(handleError(options.logger));
  return router;
}

const controlSurface: Surface<null, null> = {
  authorize: () => true,
  callerOf: () => null,
  bodyParser: () => express.raw({ type: () => true, limit: requestBytesMax }),
  bodyOf: readJson,
  refuseQuery: refuseInput,
  refuseBody: refuseInput,
};

/** For the mount point `/control`. */
export function describeControl(parts: ApiParts): ApiDescription {
  return {
    tags: [
      {
        name: controlTag,
        description:
          "What the interface does not show and a gateway needs: how orders come to be and change. An unknown path gets 404 `gateway.no_such_route`, another method with 405 `api.method_not_allowed`.",
      },
    ],
    paths: describeRoutes(parts, controlRoutes, {
      prefix: "/control",
      securityOf: () => [{ controlToken: [] }],
      commonResponses: (route) => ({ ...controlProblems, ...describeUnreadable(route) }),
      // An empty body counts as `{}`.
      bodyRequired: false,
    }),
    // describeRecipients describes the token: every control side has recipients.
    securitySchemes: {},
  };
}

/** Responses that every control route may have. */
export const controlProblems: Responses = {
  401: problem("The token is missing or wrong.", controlNotAuthorized),
  500: problem("Something unforeseen; the log has the details.", "unexpected"),
  503: problem("The database cannot be reached; try again after Retry-After."),
};

function describeUnreadable({ query, body }: DescribedRoute<null>): Responses {
  const invalid = {
    422: problem(
      "The request is not what this takes; `code`, and `problems` where there are several, say why.",
      InvalidRequest.code,
    ),
  };
  if (body === undefined) return query === undefined ? {} : invalid;
  return {
    ...invalid,
    400: problem("The body is not JSON, or cannot be read.", requestErrorCodes.notJson, requestErrorCodes.unreadable),
    413: problem("The body is longer than 2 MiB.", requestErrorCodes.unreadable),
    415: problem("The Content-Encoding is not known.", requestErrorCodes.unreadable),
  };
}

const requestErrorCodes = {
  notJson: "gateway.request_not_json",
  unreadable: "gateway.unreadable_request",
  invalid: InvalidRequest.code,
} as const;

function refuseInput(error: z.ZodError): Problem {
  const { message, problems } = new InvalidRequest(error);
  return {
    status: 422,
    code: InvalidRequest.code,
    title: "Invalid request",
    detail: message,
    extensions: { problems },
  };
}

/** No id contains NUL, and PostgreSQL refuses to compare it. */
const refuseNul: RequestHandler = (request, _response, next) => {
  next(request.url.includes("%00") ? new AppError(requestErrorCodes.invalid, "The URL holds NUL (%00).") : undefined);
};

/** An empty body counts as `{}`: everything has a default. */
function readJson(request: Request): unknown {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body) || body.length === 0) return {};
  if (exceedsJsonBounds(body, orderViewBounds)) {
    const message = `The JSON is nested deeper than ${orderViewBounds.depth} or has more than ${orderViewBounds.values} values and names of members.`;
    throw new AppError(requestErrorCodes.invalid, message);
  }
  const parsed = parseJson(body);
  if (!parsed.ok) throw new AppError(requestErrorCodes.notJson, "The request body is not JSON.");
  if (holdsUnstorableText(parsed.value)) {
    throw new AppError(
      requestErrorCodes.invalid,
      "A text of the request holds NUL or half of a character (U+D800 to U+DFFF).",
    );
  }
  return parsed.value;
}

const problemsByCode: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  [requestErrorCodes.notJson]: { status: 400, title: "Not JSON" },
  [requestErrorCodes.invalid]: { status: 422, title: "Invalid request" },
  [unusableOrderView]: { status: 422, title: "Unusable order view" },
  [invalidSearch]: { status: 422, title: "Invalid search" },
  [noSupplyCode]: { status: 404, title: "No supply" },
  [noShoppingResponse]: { status: 404, title: "No such shopping response" },
  [wrongReferenceCount]: { status: 422, title: "Wrong number of booking references" },
  [extraErrorCodes.unknownPlace]: { status: 422, title: "No such flight or passenger" },
  [extraErrorCodes.seatNotAvailable]: { status: 409, title: "The seat cannot be taken" },
  [extraErrorCodes.serviceNotOffered]: { status: 422, title: "The service is not offered" },
  [orderExistsCode]: { status: 409, title: "The order exists" },
  [orderNotFoundCode]: { status: 404, title: "No such order" },
  [changeErrorCodes.unknownSegment]: { status: 422, title: "No such flight" },
  [changeErrorCodes.unknownReference]: { status: 422, title: "No such booking reference" },
  [changeErrorCodes.nothingToChange]: { status: 409, title: "Nothing to change" },
  [eventErrorCodes.nothingToFly]: { status: 409, title: "Nothing to fly" },
  [eventErrorCodes.notMovable]: { status: 409, title: "The booking cannot go there" },
  [changeErrorCodes.notExpressible]: { status: 422, title: "The change cannot be expressed" },
};

function handleError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = toProblem(error, request, logger);
    writeProblem(response, problem, problem.status === 503 ? { "Retry-After": "1" } : {});
  };
}

function toProblem(error: unknown, request: Request, logger: Logger): Problem {
  const code = codeOf(error);
  if (error instanceof OperationRefusal) {
    const { httpStatus, gatewayCode, message } = error;
    return { status: httpStatus, code, title: "Refused", detail: message, extensions: { businessCode: gatewayCode } };
  }
  const known = problemsByCode[code];
  if (known !== undefined) {
    const hasProblems = error instanceof InvalidRequest || error instanceof UnusableOrderView;
    const extensions = hasProblems ? { problems: error.problems } : {};
    return { ...known, code, detail: messageOf(error), extensions };
  }
  if (error instanceof AppError && error.retryable) {
    return { status: 503, code, title: "Not available", detail: error.message };
  }
  const status = unreadableStatus(error);
  if (status !== null) {
    const detail = status === 413 ? `Send at most ${requestBytesMax} bytes.` : "The request cannot be read.";
    return { status, code: requestErrorCodes.unreadable, title: "Unreadable request", detail };
  }
  logger.error({ path: request.path, code, error: messageOf(error) }, "gateway.control_failed");
  return { status: 500, code: "unexpected", title: "Unexpected error", detail: "See the log of the gateway." };
}
