import type { Operation } from "../../src/contract/operations/operation.ts";
import { operations } from "../../src/contract/operations/registry.ts";

/** The operations as those see them that treat all alike: queries and results are whatever they are. */
export const everyOperation = Object.values(operations) as unknown as readonly Operation[];
