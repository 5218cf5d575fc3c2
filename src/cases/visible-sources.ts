import type { Actor } from "../kernel/actor.ts";

/** The sources whose orders, cases and notifications somebody sees; null: all of them. */
export type VisibleSources = readonly string[] | null;

/** Who does something or asks about it, and what they see. */
export interface Caller extends Actor {
  readonly visible: VisibleSources;
}

export function isVisible(source: string, visible: VisibleSources): boolean {
  return visible === null || visible.includes(source);
}
