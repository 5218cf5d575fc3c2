import { z } from "zod";
import { airportOf } from "../travel/airports.ts";
import type {
  ConnectionTimeOverride,
  ConnectionTimeSettings,
  ConnectionTimes,
  ConnectionType,
} from "./connection-times.ts";

/** Bounds the work for each connection. */
const overrideCountMax = 2_000;

const minutes = (name: string) => {
  const error = `'${name}' must be a whole number of minutes from 0 to 2880`;
  return z.int(error).min(0, error).max(2_880, error);
};

const airport = (name: string) => {
  const error = `'${name}' must be the IATA code of a known airport, such as LHR`;
  return z.string(error).refine((code) => airportOf(code) !== null, error);
};

const carrier = (name: string) => {
  const error = `'${name}' must be an airline code of two characters, such as BA`;
  return z.string(error).regex(/^[A-Z0-9]{2}$/, error);
};

const terminal = (name: string) =>
  // YAML reads a bare 5 as a number.
  z.union(
    [z.string().trim().min(1).max(20), z.int().min(0).transform(String)],
    `'${name}' must be the name of a terminal as the gateway writes it, such as 5`,
  );

const connectionTypes = ["DD", "DI", "ID", "II"] as const satisfies readonly ConnectionType[];

const overrideShape = {
  airport: airport("airport").exactOptional(),
  leavingAirport: airport("leavingAirport").exactOptional(),
  arrivingCarrier: carrier("arrivingCarrier").exactOptional(),
  leavingCarrier: carrier("leavingCarrier").exactOptional(),
  arrivingTerminal: terminal("arrivingTerminal").exactOptional(),
  leavingTerminal: terminal("leavingTerminal").exactOptional(),
  type: z.enum(connectionTypes, `'type' must be one of ${connectionTypes.join(", ")}`).exactOptional(),
  minutes: minutes("minutes"),
} satisfies Record<keyof ConnectionTimeOverride, z.ZodType>;

const overrideSchema = z
  .strictObject(overrideShape, "an entry of 'overrides' must hold 'minutes' and where they apply")
  .superRefine((override, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    const stated = Object.entries(override).filter(([, value]) => value !== undefined);
    if (stated.length < 2) refuse("an entry must say where it applies; for every connection set the default instead");
    if (override.airport !== undefined) return;
    if (override.arrivingTerminal !== undefined || override.leavingTerminal !== undefined) {
      refuse("an entry names a terminal without its airport; add 'airport'");
    }
    if (override.leavingAirport !== undefined) refuse("an entry names the airport of departure only; add 'airport'");
  });

const settingsShape = {
  domesticToDomestic: minutes("domesticToDomestic").exactOptional(),
  domesticToInternational: minutes("domesticToInternational").exactOptional(),
  internationalToDomestic: minutes("internationalToDomestic").exactOptional(),
  internationalToInternational: minutes("internationalToInternational").exactOptional(),
  entryUnitedStatesOrCanada: minutes("entryUnitedStatesOrCanada").exactOptional(),
  terminalChange: minutes("terminalChange").exactOptional(),
  airportChange: minutes("airportChange").exactOptional(),
  selfTransfer: minutes("selfTransfer").exactOptional(),
  selfTransferWithChange: minutes("selfTransferWithChange").exactOptional(),
  tightMargin: minutes("tightMargin").exactOptional(),
  longestDomestic: minutes("longestDomestic").exactOptional(),
  longestInternational: minutes("longestInternational").exactOptional(),
  overrides: z
    .array(overrideSchema, "'overrides' must be a list; start each entry with - airport:")
    .max(overrideCountMax, `'overrides' must hold at most ${overrideCountMax} entries`)
    .exactOptional(),
} satisfies Record<Exclude<keyof ConnectionTimes, "version">, z.ZodType>;

/**
 * The connection times of an agency, as written in its policy; every member is optional.
 *
 * @example
 * ```yaml
 * internationalToInternational: 60
 * overrides:
 * - { airport: LHR, arrivingTerminal: 2, leavingTerminal: 5, minutes: 90 }
 * - { airport: LHR, leavingAirport: LGW, minutes: 150 }
 * ```
 */
export const connectionTimeSettingsSchema: z.ZodType<ConnectionTimeSettings> = z.strictObject(
  settingsShape,
  "'connectionTimes' must hold names with their minutes, such as terminalChange: 30",
);

export const connectionTimeNames: readonly string[] = Object.keys(settingsShape);
export const connectionTimeOverrideNames: readonly string[] = Object.keys(overrideShape);
