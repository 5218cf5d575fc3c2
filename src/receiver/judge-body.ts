import type { NotifiedOrder } from "../contract/notified-orders.ts";
import type { NotificationProblem } from "./ports.ts";
import type { BodyReading } from "./read-body.ts";
import { describeProblem, type ReceiverErrorCode, receiverErrors } from "./receiver-problems.ts";

export type ArrivedBody = Extract<BodyReading, { readonly outcome: "read" | "not-inflatable" }>;

/** What the headers say of a body. */
export interface DeclaredBody {
  readonly contentType: string | undefined;
  /** False for a content encoding that this receiver does not inflate. */
  readonly isEncodingKnown: boolean;
}

export interface BodyVerdict {
  readonly problem: NotificationProblem | null;
  readonly orders: readonly NotifiedOrder[];
}

export interface JudgedBody extends BodyVerdict {
  /** The bytes that the verdict is about: inflated, or as received. */
  readonly body: Buffer;
}

/**
 * Reads which orders a body names. What is JSON is read, whatever its headers say: many senders declare a media type or
 * an encoding that their bodies do not have, and a notification that is refused may never come again. The headers only
 * name the problem of what is no JSON.
 */
export async function judgeBody(
  arrived: ArrivedBody,
  declared: DeclaredBody,
  validate: (body: Buffer) => Promise<BodyVerdict>,
): Promise<JudgedBody> {
  const { wireBody } = arrived;
  const inflated = arrived.outcome === "read" ? await judge(arrived.body) : null;
  if (inflated !== null && isJson(inflated)) return inflated;
  const asSent = wireBody === null ? null : await judge(wireBody);
  if (asSent !== null && isJson(asSent)) return asSent;
  const unread = inflated ?? asSent!;
  const code = problemOfHeaders(arrived, declared);
  return code === null ? unread : { ...unread, problem: { ...unread.problem!, ...describe(code, unread) } };

  async function judge(body: Buffer): Promise<JudgedBody> {
    return { ...(await validate(body)), body };
  }
}

function isJson({ problem }: BodyVerdict): boolean {
  return problem?.code !== "ocn.not_json";
}

function problemOfHeaders(
  { outcome }: ArrivedBody,
  { contentType, isEncodingKnown }: DeclaredBody,
): ReceiverErrorCode | null {
  if (outcome === "not-inflatable") return receiverErrors.bodyNotInflatable;
  if (!isEncodingKnown) return receiverErrors.unsupportedContentEncoding;
  return isJsonType(contentType) ? null : receiverErrors.unsupportedContentType;
}

/** The second sentence says what the body is instead. */
function describe(code: ReceiverErrorCode, { problem }: BodyVerdict): Pick<NotificationProblem, "code" | "message"> {
  return { code, message: `${describeProblem(code).problem.detail} ${problem?.message ?? ""}`.trim() };
}

/** Any JSON type. Without a type, the body decides. */
function isJsonType(contentType: string | undefined): boolean {
  const [mediaType = ""] = (contentType ?? "").split(";");
  return mediaType.trim() === "" || /^application\/(?:[\w.!#$&^-]+\+)?json$/i.test(mediaType.trim());
}
