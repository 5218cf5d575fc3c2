import { describe, expect, test } from "vitest";
import { serviceReasons } from "../../../src/cases/effect-tasks.ts";

describe("what was bought for flights that were accepted otherwise", () => {
  test.each([
    ["SEAT LIS-FRA", "seats-at-risk"],
    ["NSSW LIS-FRA", "seats-at-risk"],
    ["BAG LIS-FRA FRA-JFK", "bags-at-risk"],
    ["XBAG", "bags-at-risk"],
    ["VGML LIS-FRA", "meals-at-risk"],
    ["MEAL LIS-FRA", "meals-at-risk"],
    ["LOUNGE LIS-FRA", "services-at-risk"],
    ["SERVICE", "services-at-risk"],
  ])("%s is a reason to look: %s", (item, code) => {
    expect(serviceReasons([item])).toEqual([{ code, text: expect.stringContaining(`the earlier flights: ${item}.`) }]);
  });

  test("is one reason for each kind, which counts what there is of it", () => {
    const reasons = serviceReasons(["SEAT LIS-FRA", "BAG LIS-FRA", "SEAT LIS-FRA", "SEAT FRA-JFK"]);

    expect(reasons).toEqual([
      {
        code: "seats-at-risk",
        text: "Bought for the earlier flights: SEAT LIS-FRA (2), SEAT FRA-JFK. Rebook what is missing on the new flights, or claim a refund.",
      },
      { code: "bags-at-risk", text: expect.stringContaining("BAG LIS-FRA") },
    ]);
  });

  test("is no reason when nothing is at risk", () => {
    expect(serviceReasons([])).toEqual([]);
  });
});
