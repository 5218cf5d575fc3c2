import { describe, expect, test } from "vitest";
import { markPart } from "../../../../src/dashboard/web/components/failing-part.ts";

const body = '{"OrderViewRS":{"Order":[{"OrderID":"A1","a/b":{"deep":1}}]}}';

describe("the failing part of a body", () => {
  test.each([
    ["/OrderViewRS/Order/0/OrderID", '"A1"'],
    ["/OrderViewRS/Order/0/a~1b/deep", "1"],
    ["", JSON.stringify(JSON.parse(body), null, 2)],
  ])("is marked at %p", (pointer, marked) => {
    const parts = markPart(body, pointer)!;

    expect(parts.marked).toBe(marked);
    expect(parts.before + parts.marked + parts.after).toBe(JSON.stringify(JSON.parse(body), null, 2));
  });

  test("is the deepest part that is there when the pointer names a missing member", () => {
    const parts = markPart(body, "/OrderViewRS/Order/0/Missing/0")!;

    expect(JSON.parse(parts.marked)).toEqual({ OrderID: "A1", "a/b": { deep: 1 } });
    expect(parts.before + parts.marked + parts.after).toBe(JSON.stringify(JSON.parse(body), null, 2));
  });

  test("is not marked in what is no JSON", () => {
    expect(markPart("<xml/>", "/a")).toBeNull();
  });
});
