/** `Party` of an order whose request had none: the agency that booked it. */
export function partyElement(agencyName: string, agencyEmail: string) {
  return {
    Sender: {
      TravelAgencySender: {
        Name: agencyName,
        IATA_Number: "",
        AgencyID: agencyName,
        Contacts: { Contact: [{ EmailContact: agencyEmail }] },
      },
    },
  };
}
