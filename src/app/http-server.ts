import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError, codeOf } from "../kernel/app-error.ts";

export interface HttpServer {
  readonly url: string;
  readonly server: Server;
  close(): Promise<void>;
}

/** @throws `app.port_in_use`, `app.cannot_listen`; each says which setting to change */
export async function listen(
  listener: RequestListener,
  place: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<HttpServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, place)));
    server.listen(place.port, place.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = place.host.includes(":") ? `[${place.host}]` : place.host;
  return {
    url: `http://${host}:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function explain(error: Error, { host, port, setting }: { host: string; port: number; setting: string }): AppError {
  return codeOf(error) === "EADDRINUSE"
    ? new AppError(
        "app.port_in_use",
        `Port ${port} on ${host} is in use. Stop what uses it, or choose another ${setting}.`,
        {
          cause: error,
        },
      )
    : new AppError(
        "app.cannot_listen",
        `Cannot listen on ${host}:${port}: ${error.message}. Check HOST and ${setting}.`,
        {
          cause: error,
        },
      );
}
