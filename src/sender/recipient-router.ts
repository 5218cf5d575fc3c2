import express, { type ErrorRequestHandler, type Request, type Response, type Router } from "express";
import { z } from "zod";
import { assertNever } from "../kernel/app-error.ts";
import { writeProblem } from "../kernel/problem-document.ts";
import { Secret } from "../kernel/secret.ts";
import { readWebhookKey } from "../kernel/webhook-signature.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { AddressGuard } from "./address-guard.ts";
import { readPrivateKey } from "./client-assertion.ts";
import {
  clientAuthentications,
  type DeliveryRules,
  deliveryStates,
  type RecipientAuthorization,
  type RecipientChange,
  type RecipientStore,
} from "./ports.ts";
import { attemptDeadlineMaxMs } from "./sender.ts";

export interface RecipientRouterOptions {
  readonly store: RecipientStore;
  /** Says which URLs a recipient may have. */
  readonly guard: AddressGuard;
  readonly logger: Logger;
}

/**
 * The routes by which people manage recipients and look at deliveries. Whoever mounts it, under `/control`,
 * authenticates before. Credentials go in and never come out.
 *
 * | route | |
 * |---|---|
 * | `POST /recipients` | `{name, url, authorization}` and rules: 201 and the recipient; the types of `authorization`: docs/sender.md |
 * | `GET /recipients?limit=&cursor=` | `{items, nextCursor}`, newest first |
 * | `GET /recipients/:id` | one |
 * | `PATCH /recipients/:id` | any of these, and `{state, reason}`; `state` is `active` or `paused` |
 * | `POST /recipients/:id/missed` | `{since}`: 201 `{deliveries}` of notifications that went to nobody |
 * | `GET /missed` | `{count, oldestAt}`: notifications that went to nobody |
 * | `DELETE /recipients/:id` | 204; what is pending for it becomes dead |
 * | `GET /deliveries?state=&orderId=&recipientId=&limit=&cursor=` | `{items, nextCursor}`, newest first |
 * | `GET /deliveries/:id/attempts?limit=` | `{items}`, newest first |
 * | `POST /deliveries/:id/replay` | 201: `{delivery, newerNotifications}` |
 */
export function createRecipientRouter(options: RecipientRouterOptions): Router {
  const { store, logger, guard } = options;
  const router = express.Router();
  const parseJson = express.json({ limit: requestBytesMax });

  router.post("/recipients", parseJson, async (request, response) => {
    const wanted = parse(newRecipientSchema, request.body, response);
    if (wanted === null || isRefused(guard, wanted, response)) return;
    const recipient = await store.createRecipient({
      ...usualRules,
      ...withoutUndefined(wanted),
      authorization: toAuthorization(wanted.authorization),
      signingSecrets: wanted.signingSecrets.map((secret) => new Secret(secret)),
    });
    logger.info({ recipientId: recipient.id }, "recipient.created");
    response.status(201).location(`${request.baseUrl}/recipients/${recipient.id}`).json(recipient);
  });

  router.get("/recipients", async (request, response) => {
    const page = parse(pageSchema, request.query, response);
    if (page !== null) response.json(await store.listRecipients(page));
  });

  router.get("/recipients/:id", async (request, response) => {
    const id = readId(request);
    const recipient = id === null ? null : await store.readRecipient(id);
    if (recipient === null) return noSuchRecipient(response);
    response.json(recipient);
  });

  router.patch("/recipients/:id", parseJson, async (request, response) => {
    const wanted = parse(recipientChangeSchema, request.body, response);
    if (wanted === null || isRefused(guard, wanted, response)) return;
    const id = readId(request);
    const recipient = id === null ? null : await store.changeRecipient(id, toChange(wanted));
    if (recipient === null) return noSuchRecipient(response);
    logger.info(
      { recipientId: recipient.id, changed: Object.keys(wanted), state: recipient.state },
      "recipient.changed",
    );
    response.json(recipient);
  });

  router.post("/recipients/:id/missed", parseJson, async (request, response) => {
    const wanted = parse(missedSchema, request.body, response);
    if (wanted === null) return;
    const id = readId(request);
    const deliveries = id === null ? null : await store.sendMissed(id, wanted.since);
    if (deliveries === null) return noSuchRecipient(response);
    logger.info({ recipientId: id, deliveries }, "recipient.missed_sent");
    response.status(201).json({ deliveries });
  });

  router.get("/missed", async (_request, response) => {
    response.json(await store.readMissed());
  });

  router.delete("/recipients/:id", async (request, response) => {
    const id = readId(request);
    if (id === null || !(await store.removeRecipient(id))) return noSuchRecipient(response);
    logger.info({ recipientId: id }, "recipient.removed");
    response.status(204).end();
  });

  router.get("/deliveries", async (request, response) => {
    const query = parse(deliveryQuerySchema, request.query, response);
    if (query === null) return;
    const { limit, cursor, ...filter } = query;
    response.json(await store.listDeliveries(withoutUndefined(filter), { limit, cursor }));
  });

  router.get("/deliveries/:id/attempts", async (request, response) => {
    const query = parse(attemptQuerySchema, request.query, response);
    if (query === null) return;
    const id = readId(request);
    const attempts = id === null ? null : await store.listAttempts(id, query.limit);
    if (attempts === null) return noSuchDelivery(response);
    response.json({ items: attempts });
  });

  router.post("/deliveries/:id/replay", async (request, response) => {
    const id = readId(request);
    const replay = id === null ? ({ outcome: "not-found" } as const) : await store.replay(id);
    if (replay.outcome === "not-found") return noSuchDelivery(response);
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

  router.use(answerUnreadableBody);
  return router;
}

const requestBytesMax = 64 * 1024;
const pageItemsMax = 200;
const pageItems = 50;

const controlCharacters = /\p{Cc}/u;

const visibleText = z.string().refine((text) => !controlCharacters.test(text), {
  error: "must not contain control characters",
});

const urlSchema = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2_000)
  .refine(hasNoUserInfo, { error: "must not contain a user name or password; use 'authorization'" })
  .refine((url) => !url.includes("#"), { error: "must not contain a fragment" });

const privateKeyWanted = "must be RSA of at least 2048 bits, EC P-256 or P-384, or Ed25519, unencrypted in PEM";

const authorizationSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("basic"),
    username: visibleText
      .min(1)
      .max(1_000)
      .refine((name) => !name.includes(":"), { error: "must not contain ':' (RFC 7617)" }),
    password: visibleText.max(4_000),
  }),
  z.strictObject({
    type: z.literal("bearer"),
    // More than RFC 6750 allows, because recipients invent tokens; as much as fits into a header.
    token: z
      .string()
      .max(8_000)
      .regex(/^[\x21-\x7e]+$/, { error: "must be visible ASCII characters without spaces" }),
  }),
  z
    .strictObject({
      type: z.literal("oauth"),
      tokenUrl: urlSchema,
      clientId: visibleText.min(1).max(1_000),
      clientSecret: visibleText.min(1).max(4_000).optional(),
      clientAuthentication: z.enum(clientAuthentications).default("basic"),
      privateKey: z.string().max(10_000).refine(isPrivateKey, { error: privateKeyWanted }).optional(),
      keyId: visibleText.min(1).max(200).optional(),
      // RFC 6749 appendix A.4.
      scope: z
        .string()
        .max(2_000)
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, {
          error: "must be scopes of visible ASCII characters without quotes and backslashes, separated by one space",
        })
        .optional(),
      audience: visibleText.min(1).max(2_000).optional(),
    })
    .superRefine((oauth, context) => {
      const [wanted, other] =
        oauth.clientAuthentication === "private-key-jwt"
          ? (["privateKey", "clientSecret"] as const)
          : (["clientSecret", "privateKey"] as const);
      const goesWith = `clientAuthentication '${oauth.clientAuthentication}'`;
      if (oauth[wanted] === undefined) {
        context.addIssue({ code: "custom", path: [wanted], message: `is needed with ${goesWith}` });
      }
      if (oauth[other] !== undefined) {
        context.addIssue({ code: "custom", path: [other], message: `does not go with ${goesWith}` });
      }
    }),
]);

const nameSchema = z.string().trim().min(1).max(200);

const rulesSchema = z.strictObject({
  ordering: z.enum(["latest", "every"]),
  airlines: z
    .array(z.string().regex(/^[A-Z0-9]{2}$/, { error: "must be an airline designator such as LH" }))
    .min(1)
    .max(1_000)
    .nullable(),
  acknowledgement: z.enum(["required", "any-success"]),
  deadlineMs: z.number().int().min(1_000).max(attemptDeadlineMaxMs).nullable(),
  lanesMax: z.number().int().min(1).max(64).nullable(),
});

/** Two while one is replaced by the other, and one to spare. */
const signingSecretsMax = 3;
const signingSecretsSchema = z
  .array(z.string().refine(isWebhookSecret, { error: "must be 'whsec_' and the base64 of 24 to 64 bytes" }))
  .max(signingSecretsMax);

const usualRules: DeliveryRules = {
  ordering: "latest",
  airlines: null,
  acknowledgement: "required",
  deadlineMs: null,
  lanesMax: null,
};

/** Body of `POST /recipients`. */
export const newRecipientSchema = z.strictObject({
  name: nameSchema,
  url: urlSchema,
  authorization: authorizationSchema,
  signingSecrets: signingSecretsSchema.default([]),
  ...rulesSchema.partial().shape,
});

/** Body of `POST /recipients/:id/missed`. */
export const missedSchema = z.strictObject({
  since: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
});

/** Body of `PATCH /recipients/:id`. */
export const recipientChangeSchema = z
  .strictObject({
    name: nameSchema.optional(),
    url: urlSchema.optional(),
    authorization: authorizationSchema.optional(),
    signingSecrets: signingSecretsSchema.optional(),
    ...rulesSchema.partial().shape,
    state: z.enum(["active", "paused"]).optional(),
    reason: z.string().trim().min(1).max(500).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: "must change something" })
  .refine((change) => change.reason === undefined || change.state === "paused", {
    error: "goes with state 'paused' only",
    path: ["reason"],
  });

const limitSchema = z.coerce.number().int().min(1).max(pageItemsMax).default(pageItems);
/** Query of `GET /recipients`. */
export const pageSchema = z.object({ limit: limitSchema, cursor: z.uuid().nullable().default(null) });
/** Query of `GET /deliveries/:id/attempts`. */
export const attemptQuerySchema = z.object({ limit: limitSchema });
/** Query of `GET /deliveries`. */
export const deliveryQuerySchema = pageSchema.extend({
  state: z.enum(deliveryStates).optional(),
  orderId: z.string().min(1).max(200).optional(),
  recipientId: z.uuid().optional(),
});

/** The input as the schema reads it; null when it does not fit, and that has been answered. */
function parse<T>(schema: z.ZodType<T>, input: unknown, response: Response): T | null {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    path: issue.path.map((part) => `/${String(part)}`).join(""),
    message: issue.message,
  }));
  writeProblem(response, {
    status: 400,
    code: "sender.bad_request",
    title: "The request is not valid",
    detail: problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; "),
    extensions: { problems },
  });
  return null;
}

function readId(request: Request): string | null {
  const parsed = z.uuid().safeParse(request.params["id"]);
  return parsed.success ? parsed.data : null;
}

function toAuthorization(wanted: z.output<typeof authorizationSchema>): RecipientAuthorization {
  switch (wanted.type) {
    case "basic":
      return { type: "basic", username: wanted.username, password: new Secret(wanted.password) };
    case "bearer":
      return { type: "bearer", token: new Secret(wanted.token) };
    case "oauth": {
      const { scope = null, audience = null, keyId = null, clientSecret, privateKey, ...client } = wanted;
      return { ...client, clientSecret: new Secret(clientSecret ?? privateKey ?? ""), keyId, scope, audience };
    }
    default:
      return assertNever(wanted);
  }
}

function toChange(wanted: z.output<typeof recipientChangeSchema>): RecipientChange {
  const { name, url, authorization, signingSecrets, state, reason, ...rules } = wanted;
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(authorization === undefined ? {} : { authorization: toAuthorization(authorization) }),
    ...(signingSecrets === undefined ? {} : { signingSecrets: signingSecrets.map((secret) => new Secret(secret)) }),
    ...withoutUndefined(rules),
    ...(state === "active" ? { state: { to: state } } : {}),
    ...(state === "paused"
      ? { state: { to: state, reason: { code: "sender.paused", message: reason ?? "Paused by a person." } } }
      : {}),
  };
}

/**
 * Answers 422 for a URL that could never be called. What its name leads to is looked up when something is sent, because
 * that may change at any time.
 */
function isRefused(guard: AddressGuard, wanted: z.output<typeof recipientChangeSchema>, response: Response): boolean {
  const { url, authorization } = wanted;
  const urls = [url, authorization?.type === "oauth" ? authorization.tokenUrl : undefined];
  const refusal = urls.map((each) => (each === undefined ? null : guard.refuse(new URL(each)))).find(Boolean);
  if (refusal === undefined || refusal === null) return false;
  const title = "The URL is not allowed";
  writeProblem(response, { status: 422, code: refusal.code, title, detail: refusal.message });
  return true;
}

function isPrivateKey(pem: string): boolean {
  try {
    return readPrivateKey(pem).algorithm !== "";
  } catch {
    return false;
  }
}

function isWebhookSecret(text: string): boolean {
  try {
    return readWebhookKey(new Secret(text)).length > 0;
  } catch {
    return false;
  }
}

function hasNoUserInfo(url: string): boolean {
  // Refinements also see what is no URL; that is reported already.
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

/** With exact optional properties, a member that is undefined is not the same as one that is absent. */
function withoutUndefined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
}

function noSuchRecipient(response: Response): void {
  writeProblem(response, {
    status: 404,
    code: "sender.recipient_not_found",
    title: "There is no such recipient",
    detail: "No recipient has this id, or it is removed. GET /control/recipients lists them.",
  });
}

function noSuchDelivery(response: Response): void {
  writeProblem(response, {
    status: 404,
    code: "sender.delivery_not_found",
    title: "There is no such delivery",
    detail: "No delivery has this id. GET /control/deliveries lists them.",
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
