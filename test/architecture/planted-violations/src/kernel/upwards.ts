import type { Detail } from "../desk/detail.ts";

export type Upwards = Detail;
