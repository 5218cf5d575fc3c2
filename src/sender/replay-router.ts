import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { z } from "zod";
import { writeProblem } from "../kernel/problem-document.ts";
import type { Logger } from "../telemetry/logger.ts";
import { parseRequest } from "./parse-request.ts";
import type { DeliveryKind, ReplayStore, ReplayView } from "./ports.ts";
import { replayQuerySchema } from "./recipient-fields.ts";
import type { RecipientRequests } from "./recipient-requests.ts";

/**
 * The routes by which people have many deliveries sent again. The sender role works them off.
 *
 * | route | |
 * |---|---|
 * | `POST /replays` | `{state, recipientId, orderId, airline, since, until, force}`: 201 and the replay, with `afterNewer`; with `preview`: 200 `{total, afterNewer}` |
 * | `GET /replays?limit=` | `{items}`, newest first |
 * | `GET /replays/:id` | one, with how far it got |
 * | `DELETE /replays/:id` | stops it where it is: 200 and the replay |
 */
export function createReplayRouter<T extends DeliveryKind>(options: {
  readonly replays: ReplayStore<T>;
  readonly requests: Pick<RecipientRequests<T>, "replay">;
  /** Reads bodies of requests. */
  readonly parseJson: RequestHandler;
  readonly logger: Logger;
}): Router {
  const { replays, requests, parseJson, logger } = options;
  const router = express.Router();

  router.post("/replays", parseJson, async (request, response) => {
    const wanted = parseRequest(requests.replay, request.body, response);
    if (wanted === null) return;
    const { force, preview, filter } = wanted;
    const counted = await replays.previewReplay(filter);
    if (preview) {
      response.json(counted);
      return;
    }
    const replay = await replays.createReplay(filter, force);
    logger.info({ replayId: replay.id, filter, force, total: replay.total }, "replay.created");
    const { afterNewer } = counted;
    response
      .status(201)
      .location(`${request.baseUrl}/replays/${replay.id}`)
      .json({ ...replay, afterNewer });
  });

  router.get("/replays", async (request, response) => {
    const query = parseRequest(replayQuerySchema, request.query, response);
    if (query !== null) response.json({ items: await replays.listReplays(query.limit) });
  });

  router.get("/replays/:id", async (request, response) => {
    answer(request, response, await withId(request.params.id, (id) => replays.readReplay(id)));
  });

  router.delete("/replays/:id", async (request, response) => {
    const replay = await withId(request.params.id, (id) => replays.cancelReplay(id));
    if (replay !== null)
      logger.info({ replayId: replay.id, state: replay.state, done: replay.done }, "replay.cancelled");
    answer(request, response, replay);
  });

  return router;
}

async function withId(id: string, find: (id: string) => Promise<ReplayView | null>): Promise<ReplayView | null> {
  return z.uuid().safeParse(id).success ? find(id) : null;
}

function answer(request: Request, response: Response, replay: ReplayView | null): void {
  if (replay !== null) {
    response.json(replay);
    return;
  }
  writeProblem(response, {
    status: 404,
    code: "sender.replay_not_found",
    title: "There is no such replay",
    detail: `No replay has this id. GET ${request.baseUrl}/replays lists them.`,
  });
}
