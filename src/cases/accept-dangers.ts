import { type Fact, isTrue } from "../kernel/fact.ts";

/** What speaks against accepting a change without having checked it. */
export const acceptDangerNames = [
  "unread-booking",
  "order-to-stop",
  "connection-broken",
  "data-suspect",
  "legal-hold",
] as const;
export type AcceptDanger = (typeof acceptDangerNames)[number];

interface DecidedCase {
  readonly rule: string | null;
  readonly facts: {
    readonly connectionBroken?: Fact<unknown> | null;
    readonly dataSuspect?: Fact<unknown> | null;
    readonly ordersToStop?: Fact<unknown> | null;
  } | null;
  /** Whether accepting could give a right up. */
  readonly isHeld: boolean;
}

export function findAcceptDangers({ rule, facts, isHeld }: DecidedCase): readonly AcceptDanger[] {
  const dangers: readonly (readonly [AcceptDanger, boolean])[] = [
    ["unread-booking", rule === "check:status"],
    ["order-to-stop", statesAny(facts?.ordersToStop)],
    ["connection-broken", isTrue(facts?.connectionBroken)],
    ["data-suspect", isTrue(facts?.dataSuspect)],
    ["legal-hold", isHeld],
  ];
  return dangers.filter(([, isThere]) => isThere).map(([name]) => name);
}

function statesAny(fact: Fact<unknown> | null | undefined): boolean {
  return fact?.known === true && Array.isArray(fact.value) && fact.value.length > 0;
}
