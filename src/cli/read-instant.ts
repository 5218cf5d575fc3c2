import { InvalidArgumentError } from "commander";

export function readInstant(text: string): Date {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(isInstant ? text : Number.NaN);
  if (Number.isNaN(instant.getTime())) {
    throw new InvalidArgumentError("Give an instant with its zone, such as 2027-01-01T00:00:00Z.");
  }
  return instant;
}
