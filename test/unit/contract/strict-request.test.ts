import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { findStrictProblem } from "../../../src/contract/operations/strict-request.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { exactRequest, leniencies, type WireRequest, wireRequest } from "../../builders/leniencies.ts";
import { withValueAt } from "../../builders/value-at.ts";

describe.each(everyOperation.map((operation) => [operation.name, operation] as const))("strict %s", (_, operation) => {
  const members = membersOf(operation);
  const required = members.filter(({ isRequired }) => isRequired);

  test("takes the example, with and without what is optional", () => {
    expect(problemOf(operation, wireRequest(operation, exampleOf(operation).request))).toBeNull();
    for (const { path } of members.filter(({ isRequired }) => !isRequired)) {
      expect(problemOf(operation, without(operation, path))).toBeNull();
    }
    expect(problemOf(operation, { ...exact(operation), contentType: "Application/JSON; charset=utf-8" })).toBeNull();
  });

  test("refuses a request without any one of the required members, and names it", () => {
    expect(required.length).toBeGreaterThan(10);
    for (const { path } of required) {
      expect(problemOf(operation, without(operation, path))).toEqual({
        code: "request.missing_member",
        path: `/${path}`,
        message: "It is missing: send it.",
        businessCode: 29,
      });
    }
  });

  test("refuses any one member of another type, and names it", () => {
    for (const { path, type } of members) {
      for (const value of otherTypes(type)) {
        expect([path, value, problemOf(operation, changed(operation, path, value))]).toEqual([
          path,
          value,
          expect.objectContaining({ code: "request.value", path: `/${path}` }),
        ]);
      }
    }
  });

  test("refuses blanks around any one id, reference, ticket number or name, and names it", () => {
    const read = members.filter(({ path, type }) => type === "string" && !/^[^/]+\/(?:Document|Party)\//.test(path));
    expect(read.length).toBeGreaterThan(0);
    for (const { path } of read) {
      for (const text of [` ${valueAt(operation, path)}`, `${valueAt(operation, path)}\t`]) {
        expect(problemOf(operation, changed(operation, path, text))).toMatchObject({
          code: "request.value",
          path: `/${path}`,
        });
      }
    }
  });

  test("refuses several references or tickets in one text, and one that is there twice", () => {
    for (const { path, value, separators } of referencesIn(operation)) {
      for (const separator of separators) {
        for (const text of [`${value}${separator}OTHER1`, `${value}${separator}${value}`, `${value}${separator}`]) {
          expect(problemOf(operation, changed(operation, path, text))).toMatchObject({
            code: "request.value",
            path: `/${path}`,
          });
        }
      }
    }
  });

  test("refuses a member that its object has twice, in any of its objects", () => {
    for (const { path } of members) {
      const marked = JSON.stringify(withValueAt(exactRequest(operation), path, "MARK"));
      const name = JSON.stringify(path.split("/").at(-1));
      const body = marked.replace(
        '"MARK"',
        `[{"a": "}\\"", "b,": []}, {"a": 1}], ${name} : ${JSON.stringify(valueAt(operation, path))}`,
      );
      expect(JSON.parse(body)).toEqual(exactRequest(operation));
      expect(problemOf(operation, wireRequest(operation, {}, { body }))).toMatchObject({
        code: "request.repeated_member",
        path: `/${path}`,
      });
    }
  });

  test("refuses a member that the contract does not have, in any of its objects", () => {
    for (const { path } of members.filter(({ type }) => type === "object")) {
      expect(problemOf(operation, changed(operation, `${path}/a~b`, 1))).toMatchObject({
        code: "request.unknown_member",
        path: `/${path}/a~0b`,
      });
    }
  });

  test("refuses another Content-Type, and none", () => {
    for (const contentType of ["text/plain", "application/xml", "application/json; charset=latin1", "", null]) {
      expect(problemOf(operation, { ...exact(operation), contentType })).toMatchObject({
        code: "request.content_type",
        businessCode: 29,
      });
    }
  });

  test("refuses another version than 1.0", () => {
    const path = `${operation.requestRoot}/Document/ReferenceVersion`;
    for (const version of ["1.2", "1", "", " 1.0"]) {
      expect(problemOf(operation, changed(operation, path, version))).toMatchObject({
        code: "request.version",
        path: `/${path}`,
      });
    }
  });

  test("refuses each leniency, which is taken otherwise", () => {
    for (const { words, loosen } of leniencies) {
      for (const request of loosen(operation)) {
        expect([words, request, problemOf(operation, request)]).toEqual([
          words,
          request,
          expect.objectContaining({ businessCode: 29 }),
        ]);
      }
    }
  });
});

describe("strict mode", () => {
  test("names the spelling of the caller when a member is there in another letter case", () => {
    const status = everyOperation.find(({ name }) => name === "AirReservationStatus")!;
    const request = wireRequest(status, { orderstatusrq: {} });

    expect(problemOf(status, request)?.message).toBe(
      "It is missing: send it in this letter case, not as orderstatusrq.",
    );
  });

  test("never repeats a value of the request", () => {
    const reshop = everyOperation.find(({ name }) => name === "AirOrderReshop")!;
    const path = "OrderReshopRQ/DataLists/PassengerList/Passenger/0/NameTitle";

    expect(JSON.stringify(problemOf(reshop, changed(reshop, path, "Secretive")))).not.toContain("Secretive");
  });

  test("is documented with every leniency of the default, and no other", () => {
    const page = readFileSync(new URL("../../../docs/gateway.md", import.meta.url), "utf8");
    const [, table = ""] =
      /### Strict mode[\s\S]*?\n\| accepted by default.*\n\|[-|]+\n([\s\S]*?)\n\n/.exec(page) ?? [];

    expect(table.split("\n").map((row) => row.split(" | ")[0]!.replace(/^\| /, ""))).toEqual(
      leniencies.map(({ words }) => words),
    );
  });
});

function problemOf(operation: Operation, { path, contentType, body }: WireRequest) {
  return findStrictProblem(operation, { path, contentType: contentType ?? undefined, body: Buffer.from(body) });
}

function exact(operation: Operation): WireRequest {
  return wireRequest(operation, exactRequest(operation));
}

function changed(operation: Operation, path: string, value: unknown): WireRequest {
  return wireRequest(operation, withValueAt(exactRequest(operation), path, value));
}

function without(operation: Operation, path: string): WireRequest {
  return changed(operation, path, undefined);
}

function valueAt(operation: Operation, path: string): unknown {
  return path
    .split("/")
    .reduce((value: unknown, key) => (value as Record<string, unknown>)[key], exactRequest(operation));
}

/** The members that the tolerant reader splits, with what it splits them by and the contract does not. */
function referencesIn(operation: Operation) {
  const query = `${operation.requestRoot}/Query`;
  return [`${query}/GdsBookingReference`, `${query}/TicketNumber`].flatMap((path) => {
    const value = valueAt(operation, path);
    if (Array.isArray(value)) return [{ path: `${path}/0`, value: value[0], separators: [",", " ", ", ", "\n"] }];
    return value === undefined ? [] : [{ path, value, separators: [",", "  ", ", ", "\n"] }];
  });
}

interface Member {
  /** Of the exact request, without a slash before it. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Every member of the exact request, as the schema describes it. */
function membersOf(operation: Operation): readonly Member[] {
  return membersIn(operation.requestSchema, exactRequest(operation), "");
}

interface Described extends z.core.$ZodType {
  readonly def: z.core.$ZodTypeDef & {
    readonly shape?: Readonly<Record<string, Described>>;
    readonly element?: Described;
    readonly innerType?: Described;
  };
}

function membersIn(schema: z.ZodType, json: unknown, path: string): readonly Member[] {
  const { type, shape, element, innerType } = (schema as unknown as Described).def;
  if (innerType !== undefined) return membersIn(innerType as z.ZodType, json, path);
  if (type === "array") {
    return (json as readonly unknown[]).flatMap((item, position) =>
      membersIn(element as z.ZodType, item, `${path}/${position}`),
    );
  }
  return Object.entries(shape ?? {}).flatMap(([key, member]) => {
    const value = (json as Record<string, unknown>)[key];
    const at = path === "" ? key : `${path}/${key}`;
    const isRequired = member.def.type !== "optional";
    if (value === undefined && !isRequired) return [];
    return [{ path: at, type: innermost(member).def.type, isRequired }, ...membersIn(member as z.ZodType, value, at)];
  });
}

function innermost(schema: Described): Described {
  return schema.def.innerType === undefined ? schema : innermost(schema.def.innerType);
}

function otherTypes(type: string): readonly unknown[] {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    string: [5, true, null, [], {}],
    enum: [5, true, null, [], {}, "x", ""],
    array: [5, true, null, {}, "x"],
    object: [5, true, null, [], "x"],
  };
  return values[type]!;
}
