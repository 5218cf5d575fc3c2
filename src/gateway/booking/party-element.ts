/** For an order whose request had no `Party`. */
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
