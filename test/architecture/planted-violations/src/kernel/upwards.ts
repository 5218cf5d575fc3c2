import type { Detail } from "../worker/detail.ts";

export type Upwards = Detail;
