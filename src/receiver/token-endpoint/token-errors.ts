import { AppError } from "../../kernel/app-error.ts";

/** RFC 6749 section 5.2 and RFC 8707; section 4.1.2.1 for errors that are not the client's. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "temporarily_unavailable";

export const tokenRefused = "receiver.token_refused";

/** An error response. Its description contains nothing that the client sent. */
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
