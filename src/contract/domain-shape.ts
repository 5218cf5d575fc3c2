import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import type { DomainName } from "./domain-name.ts";
import type { ReadingRule, Reads } from "./element.ts";

import { type ReadingPlan, readingPlanOf } from "./reading-plan.ts";
import { createNormaliser, type OneShape, type Widened } from "./tolerant.ts";

/**
 * The value of a schema under plain names. Lists are always present; everything else may be missing. Decimals stay
 * text.
 */
export type DomainShape<Schema> = Schema extends KeyList
  ? readonly string[]
  : Schema extends Reads<ReadingRule>
    ? string
    : Schema extends Wrapping<infer Inner>
      ? DomainShape<Inner>
      : Schema extends z.ZodObject<infer Shape>
        ? DomainObject<Shape>
        : Schema extends z.ZodArray<infer Item>
          ? readonly DomainShape<Item>[]
          : Schema extends z.ZodRecord<infer _, infer Value>
            ? { readonly [key: string]: DomainShape<Value> }
            : Schema extends z.ZodUnion<infer Options>
              ? OneShape<DomainShape<Options[number]>>
              : Schema extends z.ZodType<infer Value>
                ? Widened<Value>
                : unknown;

type KeyList = Reads<"references"> | Reads<"tokens">;
type Wrapping<Inner extends z.ZodType> = z.ZodOptional<Inner> | z.ZodNullable<Inner> | z.ZodDefault<Inner>;

type IsList<Schema> = Schema extends KeyList
  ? true
  : Schema extends Reads<ReadingRule>
    ? false
    : Schema extends Wrapping<infer Inner>
      ? IsList<Inner>
      : Schema extends z.ZodArray
        ? true
        : false;

type DomainObject<Shape> = {
  readonly [Key in keyof Shape as IsList<Shape[Key]> extends true ? DomainName<Key> : never]: DomainShape<Shape[Key]>;
} & {
  readonly [Key in keyof Shape as IsList<Shape[Key]> extends true ? never : DomainName<Key>]?: DomainShape<Shape[Key]>;
};

/**
 * Compiles a strict schema into a function that reads what gateways really send, by `createNormaliser`, and returns it
 * under plain names. It never throws, and returns `undefined` if there is nothing to read.
 */
export function createDomainReader<Schema extends z.ZodType>(
  schema: Schema,
): (json: unknown) => DomainShape<Schema> | undefined {
  const plan = readingPlanOf(schema);
  const normalise = createNormaliser(schema);
  return (json) => {
    const normalised = normalise(json);
    return normalised === undefined ? undefined : (renamed(plan, normalised) as DomainShape<Schema>);
  };
}

function renamed(plan: ReadingPlan, value: unknown): unknown {
  switch (plan.kind) {
    case "references":
    case "tokens":
      return typeof value === "string" ? value.split(" ") : value;
    case "list":
      return Array.isArray(value) ? value.map((item) => renamed(plan.item, item)) : value;
    case "record":
      if (!isRecord(value)) return value;
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, renamed(plan.value, entry)]));
    case "object":
      if (!isRecord(value)) return value;
      return Object.fromEntries(
        [...plan.members].flatMap(([key, member]) => {
          const own = value[key];
          if (own !== undefined) return [[member.domainName, renamed(member.plan, own)]];
          return isList(member.plan) ? [[member.domainName, []]] : [];
        }),
      );
    case "either":
      if (Array.isArray(value)) return plan.list === null ? value : renamed(plan.list, value);
      return isRecord(value) && plan.object !== null ? renamed(plan.object, value) : value;
    default:
      return value;
  }
}

function isList(plan: ReadingPlan): boolean {
  return plan.kind === "list" || plan.kind === "references" || plan.kind === "tokens";
}
