import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzip,
  inflate,
  inflateRaw,
} from "node:zlib";
import { codeOf } from "../kernel/app-error.ts";

export const acceptedEncodings = "gzip, br, deflate";

export type BodyEncoding = "identity" | "gzip" | "br" | "deflate";

export type BodyReading =
  | {
      readonly outcome: "read";
      readonly body: Buffer;
      /** The bytes as received, of an inflated body. */
      readonly wireBody: Buffer | null;
      readonly wireBytes: number;
    }
  /** Not in the declared encoding, or truncated: the bytes as received. */
  | { readonly outcome: "not-inflatable"; readonly wireBody: Buffer; readonly wireBytes: number }
  | { readonly outcome: "too-long" | "too-slow" | "aborted" | "stopped"; readonly wireBytes: number };

export interface ReadBodyOptions {
  readonly encoding: BodyEncoding;
  /** After inflating. */
  readonly bytesMax: number;
  readonly timeoutMs: number;
  /** After the first second; not given: any rate. */
  readonly bytesPerSecondMin?: number;
  readonly stop: AbortSignal;
}

/** Inflates a body after its signature over the wire bytes was checked. Never rejects. */
export async function inflateBody(
  wireBody: Buffer,
  { encoding, bytesMax }: Pick<ReadBodyOptions, "encoding" | "bytesMax">,
): Promise<BodyReading> {
  const wireBytes = wireBody.length;
  if (encoding === "identity" || wireBytes === 0) {
    if (wireBytes > bytesMax) return { outcome: "too-long", wireBytes };
    return { outcome: "read", body: wireBody, wireBody: null, wireBytes };
  }
  try {
    const body = await selectInflate(encoding, wireBody[0]!)(wireBody, { maxOutputLength: bytesMax });
    return { outcome: "read", body, wireBody, wireBytes };
  } catch (error) {
    const isTooLong = codeOf(error) === "ERR_BUFFER_TOO_LARGE" || wireBytes > bytesMax;
    return isTooLong ? { outcome: "too-long", wireBytes } : { outcome: "not-inflatable", wireBody, wireBytes };
  }
}

export function wireBytesMaxOf({ encoding, bytesMax }: Pick<ReadBodyOptions, "encoding" | "bytesMax">): number {
  return encoding === "identity" ? bytesMax : bytesMax + compressionOverheadBytes;
}

const compressionOverheadBytes = 64 * 1024;

/** Returns null for an unsupported encoding or several encodings. `identity` is none. */
export function readEncoding(contentEncoding: string | undefined): BodyEncoding | null {
  const [name, ...others] = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "identity");
  if (others.length > 0) return null;
  switch (name) {
    case undefined:
      return "identity";
    case "gzip":
    case "x-gzip":
      return "gzip";
    case "br":
      return "br";
    case "deflate":
      return "deflate";
    default:
      return null;
  }
}

const rateCheckMs = 500;

/** Inflates off the main thread. Stops once a body is too long, even while inflating, or too slow. Never rejects. */
export function readBody(request: IncomingMessage, options: ReadBodyOptions): Promise<BodyReading> {
  const { encoding, bytesMax, timeoutMs, bytesPerSecondMin = 0, stop } = options;
  const wireBytesMax = wireBytesMaxOf(options);
  if (Number(request.headers["content-length"] ?? 0) > wireBytesMax) {
    return Promise.resolve({ outcome: "too-long", wireBytes: 0 });
  }

  return new Promise((resolve) => {
    // Keeps the compressed bytes as evidence, in case they can't be inflated.
    const wireChunks: Buffer[] = [];
    const bodyChunks: Buffer[] = [];
    let wireBytes = 0;
    let bodyBytes = 0;
    let inflater: ReturnType<typeof createInflater> | undefined;
    let isInflated = false;
    let isInflatable = true;
    let hasArrived = false;
    const startedAt = performance.now();
    const timer = setTimeout(() => finish({ outcome: "too-slow", wireBytes }), timeoutMs);
    // What arrived while the process was busy counts, too: it is read before `setImmediate`.
    const rateTimer = bytesPerSecondMin > 0 ? setInterval(() => setImmediate(checkRate), rateCheckMs) : undefined;

    function checkRate(): void {
      const seconds = (performance.now() - startedAt) / 1_000;
      if (seconds > 1 && wireBytes < bytesPerSecondMin * seconds) finish({ outcome: "too-slow", wireBytes });
    }

    function finish(reading: BodyReading): void {
      clearTimeout(timer);
      clearInterval(rateTimer);
      stop.removeEventListener("abort", onStop);
      request.off("data", onWireChunk).off("end", onWireEnd).off("error", onAborted).off("close", onAborted);
      // A later reset must not crash the process.
      request.on("error", ignore);
      inflater?.removeAllListeners().on("error", ignore).destroy();
      resolve(reading);
    }

    function onWireChunk(chunk: Buffer): void {
      wireBytes += chunk.length;
      if (wireBytes > wireBytesMax) return finish({ outcome: "too-long", wireBytes });
      if (encoding === "identity") {
        bodyChunks.push(chunk);
        return;
      }
      wireChunks.push(chunk);
      // Some senders pad what they compressed, and some compress nothing of what they declare as compressed.
      if (isInflated || !isInflatable) return;
      inflater ??= openInflater(encoding, chunk[0]!);
      if (!inflater.write(chunk)) request.pause();
    }

    function openInflater(compression: Exclude<BodyEncoding, "identity">, firstByte: number) {
      return createInflater(compression, firstByte)
        .on("data", onBodyChunk)
        .on("drain", () => request.resume())
        .on("end", onInflated)
        .on("error", onNotInflatable);
    }

    /** The rest is read as well, because the bytes as received are all that there is. */
    function onNotInflatable(): void {
      isInflatable = false;
      if (hasArrived) finishNotInflatable();
      else request.resume();
    }

    function finishNotInflatable(): void {
      if (wireBytes > bytesMax) return finish({ outcome: "too-long", wireBytes });
      finish({ outcome: "not-inflatable", wireBody: joined(wireChunks), wireBytes });
    }

    function finishRead(): void {
      const wireBody = encoding === "identity" ? null : joined(wireChunks);
      finish({ outcome: "read", body: joined(bodyChunks), wireBody, wireBytes });
    }

    function onBodyChunk(chunk: Buffer): void {
      bodyBytes += chunk.length;
      if (bodyBytes > bytesMax) return finish({ outcome: "too-long", wireBytes });
      bodyChunks.push(chunk);
    }

    function onInflated(): void {
      isInflated = true;
      request.resume();
      // Wait for the last byte too: a truncated body is refused even if it inflates.
      if (hasArrived) finishRead();
    }

    function onWireEnd(): void {
      hasArrived = true;
      if (!isInflatable) finishNotInflatable();
      else if (inflater !== undefined && !isInflated) inflater.end();
      else finishRead();
    }

    function onAborted(): void {
      // A request also closes after its end, while inflating goes on.
      if (!hasArrived) finish({ outcome: "aborted", wireBytes });
    }

    function onStop(): void {
      finish({ outcome: "stopped", wireBytes });
    }

    if (stop.aborted) return onStop();
    // The caller disconnected during authentication, so none of the events below will come.
    if (request.destroyed) return onAborted();
    stop.addEventListener("abort", onStop);
    request.on("data", onWireChunk).on("end", onWireEnd).on("error", onAborted).on("close", onAborted);
  });
}

function joined(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function selectInflate(encoding: Exclude<BodyEncoding, "identity">, firstByte: number) {
  switch (encoding) {
    case "gzip":
      return inflateGzip;
    case "br":
      return inflateBrotli;
    case "deflate":
      return isZlibFormat(firstByte) ? inflateZlib : inflateBare;
  }
}

const inflateGzip = promisify(gunzip);
const inflateBrotli = promisify(brotliDecompress);
const inflateZlib = promisify(inflate);
const inflateBare = promisify(inflateRaw);

function createInflater(encoding: Exclude<BodyEncoding, "identity">, firstByte: number) {
  switch (encoding) {
    case "gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return isZlibFormat(firstByte) ? createInflate() : createInflateRaw();
  }
}

/** RFC 9110 means zlib, some senders send the bare stream; a zlib header always has 8 in its low half. */
function isZlibFormat(firstByte: number): boolean {
  return (firstByte & 0x0f) === 0x08;
}

function ignore(): void {}
