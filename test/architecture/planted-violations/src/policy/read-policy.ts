import { readFile } from "node:fs/promises";

export const readPolicy = readFile;
