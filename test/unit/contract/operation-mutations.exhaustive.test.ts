import { describe, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { bodiesWithMonster, monstrousValues } from "../../builders/monstrous-values.ts";
import { forCorruptBodies } from "../../harness/corrupt-cases.ts";
import { sampleOf } from "../../harness/sample-size.ts";
import { withinTime } from "../../harness/within-time.ts";

interface Reader {
  readonly name: string;
  readonly text: string;
  readonly read: (json: unknown) => void;
}

const readers = everyOperation.flatMap((operation): readonly Reader[] => [
  {
    name: `${operation.name} request`,
    text: JSON.stringify(exampleOf(operation).request),
    read: (json) => checkRequest(operation, json),
  },
  {
    name: `${operation.name} response`,
    text: JSON.stringify(exampleOf(operation).response),
    read: (json) => checkResponse(operation, json),
  },
]);

function checkRequest(operation: Operation, json: unknown): void {
  const read = operation.readRequest(json);
  if (read.ok) return checkStorable(read.query);
  const { code, path, businessCode } = read.problem;
  if (!/^request\.\w+$/.test(code) || !isPointer(path) || !Number.isInteger(businessCode)) {
    throw new Error(`A problem without form: ${code} ${path} ${businessCode}`);
  }
}

function checkResponse(operation: Operation, json: unknown): void {
  const interpretation = operation.interpret(json);
  if (interpretation.ok) return checkStorable(interpretation.result);
  const { code, path } = interpretation.problem;
  if (!["gateway.rejected", "gateway.unusable_answer"].includes(code) || !isPointer(path)) {
    throw new Error(`A problem without form: ${code} ${path}`);
  }
}

/** Also shows that what was read has no end of its own and is not nested beyond measure. */
function checkStorable(read: unknown): void {
  if (/\\u0000|\\ud[89a-f]/.test(JSON.stringify(read) ?? "")) {
    throw new Error("It holds characters that PostgreSQL does not store.");
  }
}

function isPointer(path: string): boolean {
  return /^(?:\/[^/]+)*$/.test(path);
}

function readBytes(bytes: Uint8Array, reader: Reader): void {
  const parsed = parseJson(bytes);
  if (parsed.ok) reader.read(parsed.value);
}

describe("a damaged request or response", () => {
  test("is a query, a response, or a typed problem with a path (another eighth of the bodies each day)", () => {
    forCorruptBodies(readers, 0.5, readBytes);
    // Half of 100,000 bodies are for this test; `npm run test:long` reads all of them.
  }, 300_000);

  test.each(Object.keys(monstrousValues))(
    "is read in time with %s in the place of any field",
    (name) => {
      const fields = new Set<string>();
      for (const reader of readers) {
        for (const { path, text } of sampleOf(bodiesWithMonster(name, JSON.parse(reader.text)), 32)) {
          // Elements are shared between operations: a field needs to be tried once.
          const field = path.slice(path.lastIndexOf("/"));
          if (fields.has(field)) continue;
          fields.add(field);
          const bytes = Buffer.from(text);
          try {
            withinTime(20_000, () => readBytes(bytes, reader));
          } catch (cause) {
            throw new Error(`In the ${reader.name}, in the place of ${path}: ${String(cause)}`, { cause });
          }
        }
      }
    },
    // npm run test:proof puts it in the place of every field.
    300_000,
  );
});
