import { AppError, assertNever } from "../kernel/app-error.ts";
import type { NoticeText } from "./describe-notice.ts";
import type { Destination, NoticeProblem } from "./ports.ts";
import { renderSlack, renderTeams } from "./render-chat.ts";
import { type RenderedMail, renderMail } from "./render-mail.ts";

/** Sends one message. Rejects with what to do if it did not arrive, as far as anybody knows. */
export interface NoticeChannels {
  /**
   * @param key the same for attempts of the same message, so that a mail server can recognise a repetition
   * @returns a problem of one address if others accepted the message
   */
  send(destination: Destination, text: NoticeText, key: string): Promise<NoticeProblem | null>;
}

export const noticeErrors = {
  mailNotConfigured: "notices.mail_not_configured",
  mailFailed: "notices.mail_failed",
  addressRefused: "notices.address_refused",
  webhookFailed: "notices.webhook_failed",
} as const;

/** Gives a message to the mail server. Returns the addresses that the server refused, if it accepted another one. */
export type SendMail = (
  mail: RenderedMail & { readonly to: readonly string[]; readonly key: string },
) => Promise<readonly string[]>;

/** Posts JSON. The guard of outgoing addresses applies. */
export type PostJson = (url: string, body: object) => Promise<WebhookResponse>;

export interface WebhookResponse {
  /** Null if no response began. */
  readonly status: number | null;
  readonly body: string;
  readonly failure: NoticeProblem | null;
  readonly retryAfterMs: number | null;
}

/** Says also when to try again. */
export class WebhookRefusal extends AppError {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null) {
    super(noticeErrors.webhookFailed, message);
    this.retryAfterMs = retryAfterMs;
  }
}

export function createNoticeChannels(parts: {
  /** Null without a mail server. */
  readonly sendMail: SendMail | null;
  readonly post: PostJson;
}): NoticeChannels {
  return {
    async send(destination, text, key) {
      switch (destination.type) {
        case "email": {
          if (parts.sendMail === null) {
            throw new AppError(
              noticeErrors.mailNotConfigured,
              "No mail server is configured. Set SMTP_URL and NOTICE_FROM for the processes with the role sender, and for those with the dashboard.",
            );
          }
          const refused = await parts.sendMail({ ...renderMail(text), to: destination.addresses, key });
          return refused.length === 0
            ? null
            : {
                code: noticeErrors.addressRefused,
                message: `The mail server refused ${refused.join(", ")}; the other addresses got the message.`,
              };
        }
        case "slack":
          await postTo(parts.post, "Slack", destination.webhookUrl.reveal(), renderSlack(text));
          return null;
        case "teams":
          await postTo(parts.post, "Teams", destination.webhookUrl.reveal(), renderTeams(text));
          return null;
        default:
          return assertNever(destination);
      }
    },
  };
}

async function postTo(post: PostJson, name: string, url: string, body: object): Promise<void> {
  const { status, body: response, failure, retryAfterMs } = await post(url, body);
  if (failure !== null) throw new AppError(failure.code, failure.message);
  if (status !== null && status >= 200 && status < 300) return;
  const excerpt = response.replaceAll(/\s+/g, " ").trim().slice(0, excerptMax);
  const reason = excerpt === "" ? "" : `: ${excerpt}`;
  const gone = status === 404 || status === 410 || status === 403;
  const advice = gone ? " The webhook may have been removed: make a new one and give the notice its URL." : "";
  throw new WebhookRefusal(`${name} responded with ${status}${reason}.${advice}`, retryAfterMs);
}

const excerptMax = 200;
