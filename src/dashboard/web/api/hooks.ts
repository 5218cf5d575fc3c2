import { call } from "./api-client.ts";
import { createHooks } from "./create-hooks.ts";

export const { readOf, useRead, useList, useChange } = createHooks(call);
