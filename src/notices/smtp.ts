import { domainToASCII } from "node:url";
import { createTransport } from "nodemailer";
import { AppError, codeOf, messageOf } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import { noticeErrors, type SendMail } from "./channels.ts";

export interface SmtpOptions {
  /** `smtp://` for STARTTLS, `smtps://` for TLS from the first byte. */
  readonly url: Secret;
  readonly from: string;
  /** Goes on without TLS if the server does not offer it. */
  readonly allowPlaintext: boolean;
  /** Certificates (PEM) to trust instead of those of Node.js. */
  readonly authorities?: string;
}

/** Without a response for so long, the connection is given up. */
const waitMs = 10_000;

export function createSmtp(options: SmtpOptions): SendMail {
  const { from } = options;
  const transport = openTransport(options);
  const domain = domainOf(from) ?? "localhost";
  return async ({ subject, text, html, to, key }) => {
    try {
      const { rejected } = await transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        html,
        messageId: `<${key}@${domain}>`,
        // Out-of-office replies to it would help nobody (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
      return rejected;
    } catch (error) {
      throw new AppError(noticeErrors.mailFailed, explain(error), { cause: error });
    }
  };
}

/** The domain of `agency@agency.example` or `Agency <agency@agency.example>`, in ASCII; null if it has none, but an IP address. */
export function domainOf(from: string): string | null {
  const domain = /@([^@\s<>[\]]+)>?\s*$/.exec(from)?.[1] ?? "";
  return domainToASCII(domain.replace(/\.$/, "")) || null;
}

/** Connects and signs in, and sends nothing. @throws `notice.mail_failed` */
export async function tryMailServer(options: SmtpOptions): Promise<void> {
  const transport = openTransport(options);
  try {
    await transport.verify();
  } catch (error) {
    throw new AppError(noticeErrors.mailFailed, explain(error), { cause: error });
  } finally {
    transport.close();
  }
}

function openTransport({ url, allowPlaintext, authorities }: SmtpOptions) {
  return createTransport({
    url: url.reveal(),
    requireTLS: !allowPlaintext,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(authorities === undefined ? {} : { tls: { ca: authorities } }),
  });
}

function explain(error: unknown): string {
  const reason = messageOf(error).replaceAll(/\s+/g, " ").slice(0, 300);
  switch (codeOf(error)) {
    case "EAUTH":
      return `The mail server refused the credentials of SMTP_URL: ${reason}.`;
    case "ETLS":
      return `The connection to the mail server cannot be encrypted: ${reason}. Use smtps://, or set SMTP_ALLOW_PLAINTEXT=1 for a network that nobody else is on.`;
    case "EENVELOPE":
      return `The mail server refused the addresses: ${reason}.`;
    default:
      return `The mail server cannot be used: ${reason} (${codeOf(error)}). Check SMTP_URL.`;
  }
}
