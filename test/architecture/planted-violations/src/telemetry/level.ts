import { levels } from "pino";

export const level = levels;
