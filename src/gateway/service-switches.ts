import { z } from "zod";
import type { OperationName } from "../contract/operations/operation.ts";
import { operationNames, operations } from "../contract/operations/registry.ts";

/** The operations that a gateway may be without: 'Optional service' in the interface document. */
export const optionalServices: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].optionalService,
);

/** What `PUT /control/services` understands: a service that is not named is on. */
export const servicesSchema = z.strictObject({ services: z.partialRecord(z.enum(optionalServices), z.boolean()) });

/** Each optional service, and whether it is offered. */
export function showServices(switchedOff: readonly OperationName[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(optionalServices.map((name) => [name, !switchedOff.includes(name)]));
}
