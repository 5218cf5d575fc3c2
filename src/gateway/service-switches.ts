import { z } from "zod";
import type { OperationName } from "../contract/operations/operation.ts";
import { operationNames, operations } from "../contract/operations/registry.ts";

/** 'Optional service' in the interface document. */
export const optionalServices: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].optionalService,
);

/** The body of `PUT /control/services`. A service that it does not name is on. */
export const servicesSchema = z.strictObject({ services: z.partialRecord(z.enum(optionalServices), z.boolean()) });

export function showServices(switchedOff: readonly OperationName[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(optionalServices.map((name) => [name, !switchedOff.includes(name)]));
}
