import { counted } from "../../../kernel/counted.ts";
import type { MarkPreview, MemberItem } from "../api/responses.ts";
import { describeDecision, type Tone } from "../labels/state-words.ts";

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

/** How often a path, or one of its values, was seen. */
type Sightings = Pick<MemberItem, "orders" | "unchangedOrders" | "views">;

/** Orders that can no longer be told apart. */
const ordersMax = 5_000;

export function describeSightings({ orders, unchangedOrders, views }: Sightings): string {
  const places = `in ${countOf(views)} ${views === 1 ? "view" : "views"}`;
  return `${countOf(orders)} ${orders === 1 ? "order" : "orders"}, ${describeUnchanged(orders, unchangedOrders)}, ${places}`;
}

function describeUnchanged(orders: number, unchanged: number): string {
  if (unchanged > 0 && unchanged < orders) return `${countOf(unchanged)} of them without a change`;
  const which = unchanged === 0 ? "with" : "without";
  return `${orders === 1 ? "" : "all "}${which} a change`;
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
    `${counted(waiting, "case is", "cases are")} decided anew.`,
    ...(tried < waiting ? [`Of these, the ${tried} most urgent were tried:`] : []),
    released === 0
      ? `${tried === 1 ? "It goes" : "All of them go"} on waiting for another member or order to stop.`
      : `${counted(released, "case no longer waits", "cases no longer wait")} for a member: ${ends}.`,
    "That is by the statuses that were read last. Each is read again first.",
  ];
}
