import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { z } from "zod";
import { writeProblem } from "../kernel/problem-document.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { AddressGuard } from "./address-guard.ts";
import { parseRequest } from "./parse-request.ts";
import type {
  AnyRecipientChange,
  DeliveryKind,
  DeliveryOverview,
  MissedNotifications,
  NotificationKind,
  RecipientStore,
  RecipientView,
  ReplayStore,
} from "./ports.ts";
import { attemptQuerySchema, withoutUndefined } from "./recipient-fields.ts";
import {
  missedSchema,
  notificationRequests,
  type RecipientRequests,
  trafficQuerySchema,
} from "./recipient-requests.ts";
import { createReplayRouter } from "./replay-router.ts";
import type { Sender } from "./sender.ts";

export interface RecipientRouterOptions<T extends DeliveryKind = NotificationKind> {
  readonly store: RecipientStore<T>;
  readonly replays: ReplayStore<T>;
  /** Sends test notifications. */
  readonly tester: Pick<Sender, "test">;
  /** Says which URLs a recipient may have. */
  readonly guard: AddressGuard;
  readonly logger: Logger;
  /** Who makes a request, for the audit; not given: nobody knows. */
  readonly actorOf?: (request: Request) => string;
}

/**
 * The routes by which people manage recipients of notifications and look at deliveries. Whoever mounts it, under
 * `/control`, authenticates before. They are those of `createRecipientRoutes`, and:
 *
 * | route | |
 * |---|---|
 * | `POST /recipients/:id/missed` | `{since}`: 201 `{deliveries}` of notifications that went to nobody |
 * | `GET /missed` | `{count, oldestAt}`: notifications that went to nobody |
 * | `GET /traffic?since=` | `{items}`: what waits for each recipient, and what has ended since |
 */
export function createRecipientRouter(
  options: RecipientRouterOptions & { readonly store: MissedNotifications & DeliveryOverview },
): Router {
  const { store, logger } = options;
  const router = express.Router();

  router.post("/recipients/:id/missed", parseJson, async (request, response) => {
    const wanted = parseRequest(missedSchema, request.body, response);
    if (wanted === null) return;
    const id = readId(request);
    const deliveries = id === null ? null : await store.sendMissed(id, wanted.since);
    if (deliveries === null) return noSuchRecipient(request, response);
    logger.info({ recipientId: id, deliveries }, "recipient.missed_sent");
    response.status(201).json({ deliveries });
  });

  router.get("/missed", async (_request, response) => {
    response.json(await store.readMissed());
  });

  router.get("/traffic", async (request, response) => {
    const query = parseRequest(trafficQuerySchema, request.query, response);
    if (query === null) return;
    response.json({ items: await store.readTraffic(query.since) });
  });

  router.use(createRecipientRoutes({ ...options, requests: notificationRequests }));
  router.use(answerUnreadableBody);
  return router;
}

export interface RecipientRoutesOptions<T extends DeliveryKind> extends RecipientRouterOptions<T> {
  readonly requests: RecipientRequests<T>;
  /** Makes the secret of a recipient that is given none; not given: what it is sent is not signed then. */
  readonly makeSecret?: () => Secret;
  /** What is shown of a recipient; not given: all of it. */
  readonly show?: (recipient: RecipientView<T>) => object;
}

/**
 * The routes that recipients have, whatever they are sent. Credentials go in and never come out.
 *
 * | route | |
 * |---|---|
 * | `POST /recipients` | `{name, url, authorization}` and rules: 201 and the recipient, with the secret that was made for it; the types of `authorization`: docs/sender.md |
 * | `GET /recipients?limit=&cursor=` | `{items, nextCursor}`, newest first |
 * | `GET /recipients/:id` | one |
 * | `PATCH /recipients/:id` | any of these, and `{state, reason}`; `state` is `active` or `paused` |
 * | `POST /recipients/:id/test` | sends a test and answers what came of it |
 * | `DELETE /recipients/:id` | 204; what is pending for it becomes dead |
 * | `GET /deliveries?state=&orderId=&recipientId=&since=&until=&limit=&cursor=` | `{items, nextCursor}`, newest first |
 * | `GET /deliveries/:id` | one |
 * | `GET /deliveries/:id/attempts?limit=` | `{items}`, newest first |
 * | `POST /deliveries/:id/replay` | 201: `{delivery, newerNotifications}` |
 *
 * and those of `createReplayRouter`.
 */
export function createRecipientRoutes<T extends DeliveryKind>(options: RecipientRoutesOptions<T>): Router {
  const { store, logger, guard, tester, requests, makeSecret, show = (recipient) => recipient, actorOf } = options;
  const router = express.Router();

  router.post("/recipients", parseJson, async (request, response) => {
    const wanted = parseRequest(requests.newRecipient, request.body, response);
    if (wanted === null || isRefused(guard, wanted, response)) return;
    const secret = wanted.signingSecrets.length === 0 ? makeSecret?.() : undefined;
    const recipient = await store.createRecipient(
      secret === undefined ? wanted : { ...wanted, signingSecrets: [secret] },
      actorOf?.(request),
    );
    logger.info({ recipientId: recipient.id }, "recipient.created");
    response
      .status(201)
      .location(`${request.baseUrl}/recipients/${recipient.id}`)
      .json({ ...show(recipient), ...(secret === undefined ? {} : { signingSecret: secret.reveal() }) });
  });

  router.get("/recipients", async (request, response) => {
    const query = parseRequest(requests.recipientQuery, request.query, response);
    if (query === null) return;
    const { items, nextCursor } = await store.listRecipients(withoutUndefined(query));
    response.json({ items: items.map(show), nextCursor });
  });

  router.get("/recipients/:id", async (request, response) => {
    const id = readId(request);
    const recipient = id === null ? null : await store.readRecipient(id);
    if (recipient === null) return noSuchRecipient(request, response);
    response.json(show(recipient));
  });

  router.patch("/recipients/:id", parseJson, async (request, response) => {
    const wanted = parseRequest(requests.recipientChange, request.body, response);
    if (wanted === null || isRefused(guard, wanted, response)) return;
    const id = readId(request);
    const recipient = id === null ? null : await store.changeRecipient(id, wanted, actorOf?.(request));
    if (recipient === null) return noSuchRecipient(request, response);
    logger.info(
      { recipientId: recipient.id, changed: Object.keys(wanted), state: recipient.state },
      "recipient.changed",
    );
    response.json(show(recipient));
  });

  router.post("/recipients/:id/test", async (request, response) => {
    const id = readId(request);
    const result = id === null ? null : await tester.test(id);
    if (result === null) return noSuchRecipient(request, response);
    response.json(result);
  });

  router.delete("/recipients/:id", async (request, response) => {
    const id = readId(request);
    if (id === null || !(await store.removeRecipient(id, actorOf?.(request))))
      return noSuchRecipient(request, response);
    logger.info({ recipientId: id }, "recipient.removed");
    response.status(204).end();
  });

  router.get("/deliveries", async (request, response) => {
    const query = parseRequest(requests.deliveryQuery, request.query, response);
    if (query === null) return;
    const { limit, cursor, filter } = query;
    response.json(await store.listDeliveries(filter, { limit, cursor }));
  });

  router.get("/deliveries/:id", async (request, response) => {
    const id = readId(request);
    const delivery = id === null ? null : await store.readDelivery(id);
    if (delivery === null) return noSuchDelivery(request, response);
    response.json(delivery);
  });

  router.get("/deliveries/:id/attempts", async (request, response) => {
    const query = parseRequest(attemptQuerySchema, request.query, response);
    if (query === null) return;
    const id = readId(request);
    const attempts = id === null ? null : await store.listAttempts(id, query.limit);
    if (attempts === null) return noSuchDelivery(request, response);
    response.json({ items: attempts });
  });

  router.post("/deliveries/:id/replay", async (request, response) => {
    const id = readId(request);
    const replay = id === null ? ({ outcome: "not-found" } as const) : await store.replay(id);
    if (replay.outcome === "not-found") return noSuchDelivery(request, response);
    if (replay.outcome === "recipient-removed") {
      return writeProblem(response, {
        status: 409,
        code: "sender.recipient_removed",
        title: "The recipient has been removed",
        detail: "The recipient of this delivery is removed, and its credentials with it. Create it anew.",
      });
    }
    const { delivery, newerNotifications } = replay;
    logger.info({ deliveryId: delivery.id, replayOf: delivery.replayOf, newerNotifications }, "delivery.replayed");
    response.status(201).json({ delivery, newerNotifications });
  });

  router.use(createReplayRouter({ replays: options.replays, requests, parseJson, logger }));
  router.use(answerUnreadableBody);
  return router;
}

const requestBytesMax = 64 * 1024;
const parseJson = express.json({ limit: requestBytesMax });

function readId(request: Request): string | null {
  const parsed = z.uuid().safeParse(request.params["id"]);
  return parsed.success ? parsed.data : null;
}

/**
 * Answers 422 for a URL that could never be called. What its name leads to is looked up when something is sent, because
 * that may change at any time.
 */
function isRefused(guard: AddressGuard, wanted: AnyRecipientChange, response: Response): boolean {
  const { url, authorization } = wanted;
  const urls = [url, authorization?.type === "oauth" ? authorization.tokenUrl : undefined];
  const refusal = urls.map((each) => (each === undefined ? null : guard.refuse(new URL(each)))).find(Boolean);
  if (refusal === undefined || refusal === null) return false;
  const title = "The URL is not allowed";
  writeProblem(response, { status: 422, code: refusal.code, title, detail: refusal.message });
  return true;
}

function noSuchRecipient(request: Request, response: Response): void {
  writeProblem(response, {
    status: 404,
    code: "sender.recipient_not_found",
    title: "There is no such recipient",
    detail: `No recipient has this id, or it is removed. GET ${request.baseUrl}/recipients lists them.`,
  });
}

function noSuchDelivery(request: Request, response: Response): void {
  writeProblem(response, {
    status: 404,
    code: "sender.delivery_not_found",
    title: "There is no such delivery",
    detail: `No delivery has this id. GET ${request.baseUrl}/deliveries lists them.`,
  });
}

/** Answers what `express.json` refused; its own messages quote the body, which may hold a credential. */
const answerUnreadableBody: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const status = statusOf(error);
  if (status === null) {
    next(error);
    return;
  }
  writeProblem(response, {
    status,
    code: "sender.bad_request",
    title: "The request is not valid",
    detail: `The body could not be read: send JSON of at most ${requestBytesMax} bytes.`,
  });
};

function statusOf(error: unknown): number | null {
  if (error === null || typeof error !== "object" || !("status" in error)) return null;
  const { status } = error;
  return typeof status === "number" && status >= 400 && status <= 499 ? status : null;
}
