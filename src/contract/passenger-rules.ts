import type { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { passengerType } from "./elements/codes.ts";
import { member, memberAt, memberOf, textOf } from "./lenient-value.ts";
import type { RequestProblem } from "./operations/operation.ts";
import { elementsAt, refuseRequest } from "./operations/request-reader.ts";

/** @see interface document, "Limits" */
export type PassengerType = z.infer<typeof passengerType>;

/** Per request. @see interface document, "Limits" */
export const passengersMax = 9;

export interface RequestedPassenger {
  /** The caller's own key: usually T1 to T9, or ADT1, CHD1 and the like. */
  readonly passengerId: string;
  readonly ptc: PassengerType;
}

/**
 * Reads `DataLists.PassengerList.Passenger` within the limits. The interface document calls T1, T2 and T3 valid
 * identifiers and allows nine passengers, so any text is accepted. Codes:
 * - `request.no_passenger`: the list is missing or empty.
 * - `request.no_passenger_id`, `request.duplicate_passenger_id`: each passenger has a PassengerID of its own.
 * - `request.passenger_type`: PTC is ADT, CHD or INF.
 * - `request.too_many_passengers`, `request.no_adult`, `request.more_infants_than_adults`: the composition.
 * @param content what stands under the request root.
 * @param readMore reads what an operation requires of a passenger beyond key and type.
 * @see interface document, "Limits"
 */
export function readPassengers<Passenger extends RequestedPassenger>(
  content: object,
  readMore: (passenger: RequestedPassenger, json: unknown, path: string) => Passenger,
): readonly Passenger[] {
  const listPath = "/DataLists/PassengerList/Passenger";
  const list = memberOf(memberAt(content, "DataLists", "PassengerList"), "Passenger", "Passengers");
  const elements = elementsAt(listPath, list);
  if (elements.length === 0) {
    return refuseRequest("request.no_passenger", listPath, "The request names no passenger.", invalidPassengerCount);
  }
  if (elements.length > passengersMax) {
    const message = `The request names ${elements.length} passengers; at most ${passengersMax} can travel on one offer.`;
    return refuseRequest("request.too_many_passengers", listPath, message, invalidPassengerCount);
  }
  const passengers: Passenger[] = [];
  for (const [json, path] of elements) passengers.push(readMore(readPassenger(json, path, passengers), json, path));
  const problem = findPartyProblem(passengers.map(({ ptc }) => ptc));
  if (problem !== null) return refuseRequest(problem.code, listPath, problem.message, invalidPassengerCount);
  return passengers;
}

/** INVAILD_PAX_TYPE, INVAILD_PAX_COUNT and INVALID_PAX in the gateway's table. */
const invalidPassengerType = 16;
const invalidPassengerCount = 17;
export const invalidPassenger = 34;

function readPassenger(json: unknown, path: string, before: readonly RequestedPassenger[]): RequestedPassenger {
  const attributes = member(json, "attributes");
  const passengerId = textOf(member(json, "PassengerID")) ?? textOf(member(attributes, "PassengerID"));
  const idPath = `${path}/PassengerID`;
  if (!isRecord(json) || passengerId === null) {
    return refuseRequest("request.no_passenger_id", idPath, "A passenger has no PassengerID.", invalidPassenger);
  }
  if (before.some((other) => other.passengerId === passengerId)) {
    const message = `The PassengerID ${passengerId} is given to more than one passenger.`;
    return refuseRequest("request.duplicate_passenger_id", idPath, message, invalidPassenger);
  }
  const stated = textOf(member(json, "PTC"))?.toUpperCase();
  const ptc = passengerType.options.find((type) => type === stated);
  if (ptc === undefined) {
    const message = `The PTC of passenger ${passengerId} is not ADT, CHD or INF.`;
    return refuseRequest("request.passenger_type", `${path}/PTC`, message, invalidPassengerType);
  }
  return { passengerId, ptc };
}

/** Whether these may travel together, whatever asks for it. */
export function findPartyProblem(types: readonly PassengerType[]): Pick<RequestProblem, "code" | "message"> | null {
  const adults = types.filter((type) => type === "ADT").length;
  const infants = types.filter((type) => type === "INF").length;
  if (adults === 0) {
    return { code: "request.no_adult", message: "At least one passenger must be an adult (ADT)." };
  }
  if (infants > adults) {
    const message = `The request names ${infants} infants (INF) and ${adults} adults (ADT); each infant needs an adult.`;
    return { code: "request.more_infants_than_adults", message };
  }
  return null;
}
