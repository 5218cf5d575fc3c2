import { AppError } from "../../kernel/app-error.ts";

/** The error codes of RFC 6749 section 5.2 and RFC 8707, and of section 4.1.2.1 for what is not the client's fault. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "temporarily_unavailable";

/** Code of every refusal to issue a token. */
export const tokenRefused = "receiver.token_refused";

/** Why no token is issued, as it is answered. The description holds nothing that the client sent. */
export class TokenRefusal extends AppError {
  readonly oauthCode: OAuthErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    oauthCode: OAuthErrorCode,
    description: string,
    options: {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(tokenRefused, description, options.cause === undefined ? {} : { cause: options.cause });
    this.oauthCode = oauthCode;
    this.status = options.status ?? (oauthCode === "invalid_client" ? 401 : 400);
    this.headers = options.headers ?? {};
  }
}
