import type { ParsedPassengerRequest } from "../order-request.ts";

/** Years of age, in the year of departure, of a passenger whose birth date was not given. */
const usualAge = { ADT: 40, CHD: 8, INF: 1 } as const;

/**
 * A traveller as an element of `PassengerList`. What was not asked for is made up from the position among the passengers.
 *
 * @param departureYear year of the first departure, from which a birth date is counted back.
 */
export function buildPassenger(
  passenger: ParsedPassengerRequest,
  passengerId: string,
  position: number,
  departureYear: number,
) {
  const isAdult = passenger.ptc === "ADT";
  return {
    attributes: { PassengerID: passengerId },
    PassengerID: passengerId,
    PTC: passenger.ptc,
    BirthDate: passenger.birthDate ?? `${departureYear - usualAge[passenger.ptc]}-01-02`,
    NameTitle: passenger.nameTitle ?? (isAdult ? "Mr" : "Mstr"),
    FirstName: passenger.firstName ?? `Traveller${position + 1}`,
    MiddleName: "",
    LastName: passenger.lastName ?? "Example",
    Gender: passenger.gender ?? "Male",
    TravelDocument: { DocumentNumber: "", ExpiryDate: "", IssuingCountry: "", DocumentType: "" },
    Preference: { WheelChairPreference: { Reason: passenger.wheelchairReason }, SeatPreference: "" },
    LoyaltyProgramAccount: [],
    ContactInfoRef: "Contact1",
  };
}

/** How the travellers of a made-up order are reached. */
export const contactLists = {
  contactEmail: ["traveller@example.com"],
  contactNumber: ["+1 2025550143"],
  ContactAddress: ["1 Example Street"],
};
