import type { Detail } from "../worker/detail.ts";
import type { Port } from "../worker/ports.ts";

export type Row = Detail & Port;
