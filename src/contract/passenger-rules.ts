import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { passengerType } from "./elements/codes.ts";
import { listOf, member, memberAt, memberOf, textOf } from "./lenient-value.ts";
import type { RequestProblem } from "./operations/operation.ts";

/** @see interface document, "Limits" */
export type PassengerType = z.infer<typeof passengerType>;

/** Per request. @see interface document, "Limits" */
export const passengersMax = 9;

export interface RequestedPassenger {
  /** The caller's own key: usually T1 to T9, or ADT1, CHD1 and the like. */
  readonly passengerId: string;
  readonly ptc: PassengerType;
}

export type ReadPassengers<Passenger> =
  | { readonly ok: true; readonly passengers: readonly Passenger[] }
  | { readonly ok: false; readonly problem: RequestProblem };

/** Reads what an operation requires of a passenger beyond key and type. */
export type ReadPassenger<Passenger> = (
  json: unknown,
  passenger: RequestedPassenger,
  path: string,
) => { readonly ok: true; readonly passenger: Passenger } | { readonly ok: false; readonly problem: RequestProblem };

export function readNothingElse(_: unknown, passenger: RequestedPassenger) {
  return { ok: true, passenger } as const;
}

/**
 * Reads `DataLists.PassengerList.Passenger` within the limits. The interface document calls T1, T2 and T3 valid
 * identifiers and allows nine passengers, so any text is accepted. Codes:
 * - `request.no_passenger`: the list is missing or empty.
 * - `request.no_passenger_id`, `request.duplicate_passenger_id`: each passenger has a PassengerID of its own.
 * - `request.passenger_type`: PTC is ADT, CHD or INF.
 * - `request.too_many_passengers`, `request.no_adult`, `request.more_infants_than_adults`: the composition.
 * @param content what stands under the request root.
 * @param root JSON Pointer to it.
 * @see interface document, "Limits"
 */
export function readPassengers<Passenger extends RequestedPassenger>(
  content: unknown,
  root: string,
  readMore: ReadPassenger<Passenger>,
): ReadPassengers<Passenger> {
  const listPath = `${root}/DataLists/PassengerList/Passenger`;
  const list = memberOf(memberAt(content, "DataLists", "PassengerList"), "Passenger", "Passengers");
  const elements = listOf(list);
  if (elements.length === 0) {
    return refused("request.no_passenger", invalidPassengerCount, listPath, "The request names no passenger.");
  }
  if (elements.length > passengersMax) {
    const message = `The request names ${elements.length} passengers; at most ${passengersMax} can travel on one offer.`;
    return refused("request.too_many_passengers", invalidPassengerCount, listPath, message);
  }
  const passengers: Passenger[] = [];
  for (const [position, json] of elements.entries()) {
    const path = Array.isArray(list) ? `${listPath}/${position}` : listPath;
    const passenger = readPassenger(json, path, passengers);
    if (!passenger.ok) return passenger;
    const read = readMore(json, passenger.passenger, path);
    if (!read.ok) return read;
    passengers.push(read.passenger);
  }
  return compositionProblem(passengers, listPath) ?? { ok: true, passengers };
}

/** INVAILD_PAX_TYPE, INVAILD_PAX_COUNT and INVALID_PAX in the gateway's table. */
const invalidPassengerType = 16;
const invalidPassengerCount = 17;
const invalidPassenger = 34;

export function refusePassenger(code: string, path: string, message: string) {
  return refused(code, invalidPassenger, path, message);
}

function readPassenger(json: unknown, path: string, before: readonly RequestedPassenger[]) {
  const attributes = member(json, "attributes");
  const passengerId = textOf(member(json, "PassengerID")) ?? textOf(member(attributes, "PassengerID"));
  const idPath = `${path}/PassengerID`;
  if (!isRecord(json) || passengerId === null) {
    return refused("request.no_passenger_id", invalidPassenger, idPath, "A passenger has no PassengerID.");
  }
  if (before.some((other) => other.passengerId === passengerId)) {
    const message = `The PassengerID ${passengerId} is given to more than one passenger.`;
    return refused("request.duplicate_passenger_id", invalidPassenger, idPath, message);
  }
  const stated = textOf(member(json, "PTC"))?.toUpperCase();
  const ptc = passengerType.options.find((type) => type === stated);
  if (ptc === undefined) {
    const message = `The PTC of passenger ${passengerId} is not ADT, CHD or INF.`;
    return refused("request.passenger_type", invalidPassengerType, `${path}/PTC`, message);
  }
  return { ok: true, passenger: { passengerId, ptc } } as const;
}

function compositionProblem(passengers: readonly RequestedPassenger[], path: string) {
  const count = (type: PassengerType) => passengers.filter(({ ptc }) => ptc === type).length;
  const adults = count("ADT");
  const infants = count("INF");
  if (adults === 0)
    return refused("request.no_adult", invalidPassengerCount, path, "At least one passenger must be an adult (ADT).");
  if (infants > adults) {
    const message = `The request names ${infants} infants (INF) and ${adults} adults (ADT); each infant needs an adult.`;
    return refused("request.more_infants_than_adults", invalidPassengerCount, path, message);
  }
  return null;
}

function refused(code: string, businessCode: number, path: string, message: string) {
  return { ok: false, problem: { code, businessCode, path, message } } as const;
}
