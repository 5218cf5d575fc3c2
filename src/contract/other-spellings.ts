import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";

import { type ReadingPlan, readingPlanOf } from "./reading-plan.ts";

/** How gateways of this family spell a response otherwise than the interface document. */
export const spellings = [
  "lower-case",
  "numbers-as-text",
  "other-names",
  "without-root",
  "without-success",
  "error-list",
] as const;
export type Spelling = (typeof spellings)[number];

export interface SpelledBody {
  readonly responseRoot: string;
  /** Strict. */
  readonly responseSchema: z.ZodType;
}

/** The same body in another spelling, which the tolerant readers understand. One without such a place stays as it is. */
export function respell(body: unknown, spelling: Spelling, { responseRoot, responseSchema }: SpelledBody): unknown {
  const content = isRecord(body) ? body[responseRoot] : undefined;
  switch (spelling) {
    case "lower-case":
      return inLowerCase(body);
    case "numbers-as-text":
      return numbersAsText(body);
    case "other-names":
      return inOtherNames(readingPlanOf(responseSchema), body);
    case "without-root":
      return isRecord(content) ? content : body;
    case "without-success": {
      if (!isRecord(content)) return body;
      const { Success: _, ...others } = content;
      return { [responseRoot]: others };
    }
    case "error-list": {
      if (!isRecord(content) || !isRecord(content["Errors"])) return body;
      return { [responseRoot]: { ...content, Errors: { Error: [content["Errors"]["Error"]] } } };
    }
  }
}

/** Every key in lower case but those that are codes, such as card types and rule topics: these are content. */
export function inLowerCase(json: unknown): unknown {
  return mapped(
    json,
    (key) => (key === key.toUpperCase() ? key : key.toLowerCase()),
    (value) => value,
  );
}

export function numbersAsText(json: unknown): unknown {
  return mapped(
    json,
    (key) => key,
    (value) => (typeof value === "number" ? String(value) : value),
  );
}

function mapped(json: unknown, key: (key: string) => string, value: (value: unknown) => unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => mapped(item, key, value));
  if (json === null || typeof json !== "object") return value(json);
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [key(name), mapped(member, key, value)]));
}

/**
 * Keys under their first alias, such as SegmentReferences for SegmentRefs, and lists in lists as objects that hold a
 * list: ReshopOffers as `[{"ReshopOffer": […]}]`.
 */
function inOtherNames(plan: ReadingPlan, json: unknown): unknown {
  if (Array.isArray(json)) {
    const list = plan.kind === "either" ? plan.list : plan;
    return list?.kind === "list" ? json.map((item) => inOtherNames(list.item, item)) : json;
  }
  if (!isRecord(json)) return json;
  const object = plan.kind === "either" ? plan.object : plan;
  if (object?.kind === "record") {
    return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, inOtherNames(object.value, value)]));
  }
  if (object?.kind !== "object") return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      const member = object.members.get(key);
      if (member === undefined) return [key, value];
      const renamed = inOtherNames(member.plan, value);
      const isListOfLists = member.plan.kind === "list" && member.plan.item.kind === "list" && Array.isArray(renamed);
      return [
        member.aliases[0] ?? (key === "SegmentRefs" && object.members.has(documentedTwin) ? documentedTwin : key),
        isListOfLists ? renamed.map((item) => ({ [key.replace(/s$/, "")]: item })) : renamed,
      ];
    }),
  );
}

/** The interface document shows changed flights with either key, so it is no alias there. */
const documentedTwin = "SegmentReferences";
