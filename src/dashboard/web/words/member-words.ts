import type { MarkPreview, MemberItem } from "../api/responses.ts";
import { describeDecision, type Tone } from "./state-words.ts";

type MemberClass = MemberItem["class"];

export const memberClassWords: Readonly<Record<MemberClass, { label: string; tone: Tone; meaning: string }>> = {
  stop: {
    label: "Order to stop",
    tone: "bad",
    meaning: "It asks to follow up, warns, refuses, cancels, waits or names a need. Each value is marked by itself.",
  },
  code: { label: "Code or text", tone: "warn", meaning: "Its meaning is not known. Each value is marked by itself." },
  other: { label: "Other", tone: "plain", meaning: "An id, an amount, a time or a link. It is marked by its path." },
};

/** Of a path or of one of its values. */
type Sightings = Pick<MemberItem, "orders" | "unchangedOrders" | "views">;

/** Orders that can no longer be told apart. */
const ordersMax = 5_000;

export function describeSightings({ orders, unchangedOrders, views }: Sightings): string {
  const without = unchangedOrders === 0 ? "none of them" : `${countOf(unchangedOrders)} of them`;
  return `${countOf(orders)} ${orders === 1 ? "order" : "orders"}, ${without} without a change, in ${countOf(views)} ${views === 1 ? "view" : "views"}`;
}

function countOf(count: number): string {
  return count >= ordersMax ? `more than ${ordersMax.toLocaleString("en")}` : count.toLocaleString("en");
}

/** What a mark does, from how the cases that wait were tried. */
export function describePreview({ waiting, tried, released, actions }: MarkPreview): readonly string[] {
  if (waiting === 0) return ["No case waits for it."];
  const ends = Object.entries(actions)
    .map(([action, count]) => `${count} × ${describeDecision(action).toLowerCase()}`)
    .join(", ");
  return [
    `${cases(waiting)} ${waiting === 1 ? "is" : "are"} decided anew.`,
    ...(tried < waiting ? [`Of these, the ${tried} most urgent were tried:`] : []),
    released === 0
      ? "All of them go on waiting for something else that is not known."
      : `${cases(released)} no longer ${released === 1 ? "waits" : "wait"} for a member: ${ends}.`,
    "That is by the statuses that were read last. Each is read again first.",
  ];
}

function cases(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "case" : "cases"}`;
}
