import { describe, expect, test } from "vitest";
import { statedTwice } from "../../../src/contract/doubled-keys.ts";
import { parseStatements } from "../../../src/contract/json.ts";
import { readNotification } from "../../../src/contract/notification.ts";
import { readNotifiedOrders } from "../../../src/contract/notified-orders.ts";

function parsed(text: string): unknown {
  const result = parseStatements(Buffer.from(text));
  if (!result.ok) throw new Error("It is not JSON.");
  return result.value;
}

describe("a key that stands twice in one object", () => {
  test.each<[string, unknown]>([
    ['{"a":1,"a":2}', { a: statedTwice }],
    ['{"a":1,"a":1}', { a: statedTwice }],
    ['{ "a" : 1 , "b":[{"c":"x","c":"y"},{"c":"z"}] }', { a: 1, b: [{ c: statedTwice }, { c: "z" }] }],
    ['{"a":1,"\\u0061":2}', { a: statedTwice }],
    ['{"a":{"b":1,"b":2},"a":{"c":3}}', { a: statedTwice }],
    ['[{"a":[1,2,{"d":{}}],"e":{"f":1,"f":[]}}]', [{ a: [1, 2, { d: {} }], e: { f: statedTwice } }]],
  ])("is not known in %s", (text, value) => {
    expect(parsed(text)).toEqual(value);
  });

  test.each([
    '{"a":"\\"a\\":1","b":"{\\"a\\":2}"}',
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"x:y","b":"10:00","A":1}',
    '{"a\\"":1,"a":2}',
    '{"__proto__":1,"a":{}}',
  ])("is not found in %s", (text) => {
    expect(parsed(text)).toEqual(JSON.parse(text));
  });

  test("does not reach a prototype", () => {
    const value = parsed('{"__proto__":{"a":1},"__proto__":{"b":1}}') as object;

    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });
});

describe("a notification", () => {
  const codeOf = (text: string) => {
    const read = readNotifiedOrders(Buffer.from(text));
    return read.ok ? read.orders.map(({ orderId }) => orderId).join() : read.problem.code;
  };

  test.each([
    ['{"OrderViewRS":{"Order":[{"OrderID":"A","OrderID":"B"}]}}', "ocn.stated_twice"],
    ['{"OrderViewRS":{"Order":[{"OrderID":"A","OrderID":"A"}]}}', "ocn.stated_twice"],
    ['{"OrderViewRS":{"Order":[{"OrderID":"A"}],"Order":[{"OrderID":"B"}]}}', "ocn.stated_twice"],
    ['{"Order":[{"OrderID":"A","Order\\u0049D":"B"}]}', "ocn.stated_twice"],
    ['{"OrderViewRS":{"Order":[{"OrderID":"A"}]},"OrderViewRS":{"Order":[{"OrderID":"B"}]}}', "ocn.stated_twice"],
    ['{"OrderViewRS":{"Order":[{"OrderID":"A","Link":{"OrderID":"B","OrderID":"C"}}]}}', "A"],
    ['{"OrderViewRS":{"Order":[{"OrderID":"A","PnrStatus":"X","PnrStatus":"Y"},{"OrderID":"B"}]}}', "A,B"],
    ['{"OrderViewRS":{"Order":{"OrderID":"A","Text":"\\"OrderID\\":1"}}}', "A"],
  ])("is quarantined only if it states twice which order it is about: %s", (text, expected) => {
    expect(codeOf(text)).toBe(expected);
  });

  test("states none of the values of a doubled key", () => {
    const text =
      '{"Order":[{"OrderID":"A","PnrStatus":"CANCELLED","PnrStatus":"SCHEDULE CHANGED"}],"Extra":1,"Extra":2}';
    const read = readNotification(Buffer.from(text));

    expect(read.ok && read.view.orders[0]?.pnrStatus).toMatchObject({ known: false });
    expect(read.ok && read.view.unread).toEqual({
      statements: [{ path: "Extra", class: "code", value: null, word: null }],
      values: ["Order.PnrStatus"],
      twice: ["Order.PnrStatus"],
    });
  });
});
