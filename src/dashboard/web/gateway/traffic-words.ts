import type { RecipientTraffic } from "../deliveries/delivery-api.ts";

/** `99.5 %`: the delivered share of what was due: delivered, dead, or pending too long. Superseded ones do not count. */
export function describeShare({
  delivered,
  dead,
  late,
}: Pick<RecipientTraffic, "delivered" | "dead" | "late">): string {
  const due = delivered + dead + late;
  if (due === 0) return "–";
  // Rounded down, so that 100 % means that all arrived.
  return `${Math.floor((1_000 * delivered) / due) / 10} %`;
}

export function sumTraffic(items: readonly RecipientTraffic[]): Omit<RecipientTraffic, "recipientId"> {
  const oldest = items.flatMap(({ oldestPendingAt }) => oldestPendingAt ?? []).toSorted();
  const sum = (count: "pending" | "late" | "delivered" | "superseded" | "dead"): number =>
    items.reduce((total, item) => total + item[count], 0);
  return {
    pending: sum("pending"),
    oldestPendingAt: oldest[0] ?? null,
    late: sum("late"),
    delivered: sum("delivered"),
    superseded: sum("superseded"),
    dead: sum("dead"),
  };
}
