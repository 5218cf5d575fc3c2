import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pairsOneToOne } from "../../../src/itinerary/pair-one-to-one.ts";

/** What a name can be spelled as; two are the same if they share a spelling. */
type Spellings = readonly number[];

const sameness = {
  keyOf: (item: Spellings) => JSON.stringify(item),
  isSame: (a: Spellings, b: Spellings) => a.some((spelling) => b.includes(spelling)),
};
const spellings = fc.subarray([1, 2, 3, 4], { minLength: 1 });
const pairs = (a: readonly Spellings[], b: readonly Spellings[]) => pairsOneToOne(a, b, sameness);

describe("pairsOneToOne", () => {
  test("pairs a list with itself in any order, and with nothing longer or shorter", () => {
    fc.assert(
      fc.property(fc.array(spellings, { maxLength: 6 }), spellings, (list, other) => {
        expect(pairs(list, [...list].reverse())).toBe(true);
        expect(pairs(list, [...list, other])).toBe(false);
        expect(pairs([...list, other], list)).toBe(false);
      }),
    );
  });

  test("never pairs two with one: what it pairs, trying every order pairs as well", () => {
    fc.assert(
      fc.property(
        fc.array(spellings, { minLength: 1, maxLength: 4 }),
        fc.array(spellings, { minLength: 1, maxLength: 4 }),
        (a, b) => {
          if (pairs(a, b)) expect(isPairedInSomeOrder(a, b)).toBe(true);
          expect(pairs(a, b)).toBe(pairs(b, a));
        },
      ),
    );
  });

  test("pairs the equal first, and the rest among itself", () => {
    expect(pairs([[1, 2], [1]], [[1, 2], [2]])).toBe(false);
    expect(
      pairs(
        [
          [1, 2],
          [2, 3],
        ],
        [[1], [2]],
      ),
    ).toBe(true);
  });

  test("gives up on more loose pairs than a large group has", () => {
    const many = (count: number, spelling: number) => Array.from({ length: count }, () => [1, spelling]);

    expect(pairs(many(100, 2), many(100, 3))).toBe(true);
    expect(pairs(many(101, 2), many(101, 3))).toBe(false);
  });
});

function isPairedInSomeOrder(a: readonly Spellings[], b: readonly Spellings[]): boolean {
  const [first, ...rest] = a;
  if (first === undefined) return b.length === 0;
  return b.some(
    (other, at) => sameness.isSame(first, other) && isPairedInSomeOrder(rest, [...b.slice(0, at), ...b.slice(at + 1)]),
  );
}
