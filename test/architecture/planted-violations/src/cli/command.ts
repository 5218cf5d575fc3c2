import type { Helper } from "../misc/helper.ts";

export type Command = Helper;
