import type { Reason } from "./decision.ts";

/**
 * Why somebody should look at what was bought for flights whose change was accepted: seats, bags, meals and whatever else
 * may not be on the new ones. Empty when nothing is at risk.
 *
 * @param atRisk as the fact `ancillariesAtRisk` names them, one for each: `SEAT LIS-FRA`, without airports where any flight
 * may be meant.
 */
export function serviceReasons(atRisk: readonly string[]): readonly Reason[] {
  const byCode = new Map<string, readonly string[]>();
  for (const item of atRisk) {
    const code = codeOf(item);
    byCode.set(code, [...(byCode.get(code) ?? []), item]);
  }
  return [...byCode].map(([code, items]) => ({
    code,
    text: `Bought for the flights as they were: ${counted(items).join(", ")}. Book again what the new ones lack, or claim it back.`,
  }));
}

function codeOf(item: string): string {
  const [what = ""] = item.toUpperCase().split(" ");
  if (what === "SEAT" || /^(?:NSS|SMS|EXST)/.test(what)) return "seats-at-risk";
  if (/BAG|^(?:BIKE|SPEQ)/.test(what)) return "bags-at-risk";
  if (/MEAL|^[A-Z]{2}ML$/.test(what)) return "meals-at-risk";
  return "services-at-risk";
}

/** `SEAT LIS-FRA (2)`: how many there are of one. */
function counted(items: readonly string[]): readonly string[] {
  return [...new Set(items)].map((item) => {
    const count = items.filter((other) => other === item).length;
    return count === 1 ? item : `${item} (${count})`;
  });
}
