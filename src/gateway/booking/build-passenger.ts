import type { ParsedPassengerRequest } from "../order-request.ts";

/** In the year of departure, without a birth date. */
const usualAge = { ADT: 40, CHD: 8, INF: 1 } as const;

/**
 * Derives whatever the request leaves out from the position.
 * @param departureYear from which a birth date is counted back.
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

/** The contacts of generated travellers. */
export const contactLists = {
  contactEmail: ["traveller@example.com"],
  contactNumber: ["+1 2025550143"],
  ContactAddress: ["1 Example Street"],
};
