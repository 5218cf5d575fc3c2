import { orderView } from "./elements/order.ts";
import { type ReadingPlan, readingPlanOf } from "./reading-plan.ts";

/** Whether the contract has members of its own below the path, such as `Order.OfferItem`: it is read, not unknown. */
export function isKnownElement(path: string): boolean {
  let plan: ReadingPlan | null = view;
  for (const name of path.split(".")) {
    plan = plan === null ? null : below(plan, name);
  }
  return plan !== null && hasMembers(plan);
}

const view = readingPlanOf(orderView);

function below(plan: ReadingPlan, name: string): ReadingPlan | null {
  switch (plan.kind) {
    case "list":
      return below(plan.item, name);
    case "object": {
      const key = plan.members.has(name) ? name : plan.spellings.get(name.toLowerCase());
      return key === undefined ? null : plan.members.get(key)!.plan;
    }
    case "either":
      return (
        partsOf(plan)
          .map((part) => below(part, name))
          .find((found) => found !== null) ?? null
      );
    default:
      return null;
  }
}

function hasMembers(plan: ReadingPlan): boolean {
  switch (plan.kind) {
    case "list":
      return hasMembers(plan.item);
    case "object":
      return true;
    case "either":
      return partsOf(plan).some(hasMembers);
    default:
      return false;
  }
}

function partsOf({ object, list }: Extract<ReadingPlan, { kind: "either" }>): readonly ReadingPlan[] {
  return [object, list].filter((part) => part !== null);
}
