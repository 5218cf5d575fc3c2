import type { GatewayErrorText, Interpretation } from "./operation.ts";

/**
 * An answer without a result: rejected when the gateway stated errors, unusable otherwise.
 *
 * @param path JSON Pointer to what is missing.
 * @param because a sentence that says why.
 */
export function unusable(
  errors: readonly GatewayErrorText[],
  responseRoot: string,
  path: string,
  because: string,
): Interpretation<never> {
  if (errors.length > 0) {
    const text = errors.map((error) => error.text).join("; ");
    return {
      ok: false,
      problem: {
        code: "gateway.rejected",
        path: `/${responseRoot}/Errors`,
        message: `The gateway answered with errors: ${text}`,
        errors,
      },
    };
  }
  const message = `The ${responseRoot} answer cannot be used. ${because}`;
  return { ok: false, problem: { code: "gateway.unusable_answer", path, message, errors } };
}
