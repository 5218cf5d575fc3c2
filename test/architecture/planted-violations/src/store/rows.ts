import type { Detail } from "../desk/detail.ts";
import type { Port } from "../desk/ports.ts";

export type Row = Detail & Port;
