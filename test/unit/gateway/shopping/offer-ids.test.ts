import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { derivedOfferIds, offerIdOf, readOfferId } from "../../../../src/gateway/shopping/offer-ids.ts";

const shoppingResponseId = "1724067361311310318";

describe("an OfferID", () => {
  test("says which offer of which search it is, and how it was derived", () => {
    fc.assert(
      fc.property(fc.nat({ max: 99 }), fc.nat({ max: 5 }), fc.nat({ max: 2 }), (position, part, variant) => {
        const offerId = offerIdOf(shoppingResponseId, position);
        const partId = derivedOfferIds(offerId, "part", 6)[part]!;
        const variantId = derivedOfferIds(partId, "variant", 3)[variant]!;

        expect(offerId).toMatch(/^\d{22}$/);
        expect(readOfferId(offerId)).toEqual({ shoppingResponseId, position, steps: [] });
        expect(readOfferId(variantId)).toEqual({
          shoppingResponseId,
          position,
          steps: [
            { kind: "part", position: part },
            { kind: "variant", position: variant },
          ],
        });
      }),
    );
  });

  test("never has more than the 28 digits that the interface document shows", () => {
    const kinds = ["variant", "part", "variant"] as const;
    const deepest = kinds.reduce(
      (offerId, kind) => derivedOfferIds(offerId, kind, 1)[0]!,
      offerIdOf(shoppingResponseId, 99),
    );

    expect(deepest).toHaveLength(28);
    expect(readOfferId(deepest)?.steps).toHaveLength(3);
    expect(readOfferId(`${deepest}11`)).toBeNull();
  });

  test.each(["", "42", shoppingResponseId, `${shoppingResponseId}01`, `${shoppingResponseId}00131`, "x".repeat(22)])(
    "is not %p",
    (text) => {
      expect(readOfferId(text)).toBeNull();
    },
  );
});
