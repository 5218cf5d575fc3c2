import type { Second } from "./second.ts";

export type First = Second | undefined;
