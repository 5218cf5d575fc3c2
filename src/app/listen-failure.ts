import { AppError, codeOf } from "../kernel/app-error.ts";

/** @param place `setting` is what chooses the port: `PORT`, `--port`. */
export function explainListenFailure(
  cause: Error,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): AppError {
  if (codeOf(cause) === "EADDRINUSE") {
    const message = `Port ${port} on ${host} is in use. Stop what uses it, or choose another ${setting}.`;
    return new AppError("app.port_in_use", message, { cause });
  }
  const message = `Cannot listen on ${host}:${port}: ${cause.message}. Check the address and ${setting}.`;
  return new AppError("app.cannot_listen", message, { cause });
}
