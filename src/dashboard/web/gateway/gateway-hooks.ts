import { createHooks } from "../api/create-hooks.ts";
import { callGateway } from "./gateway-api.ts";

export const gateway = createHooks(callGateway);
