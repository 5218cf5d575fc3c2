import { responseVersion } from "../../contract/envelope.ts";
import { listOf, member, memberAt, textOf } from "../../contract/lenient-value.ts";
import { gatewayDocumentName } from "../order-view-body.ts";
import type { GatewayOrder } from "../ports.ts";

/** The fields that stand first in a response about an offer. A request without `Party` gets an empty one. */
export function offerResponseHead(party: unknown, shoppingResponseId: string) {
  return {
    Document: { Name: gatewayDocumentName, ReferenceVersion: responseVersion },
    Party: echoedParty(party),
    ShoppingResponseId: shoppingResponseId,
    Success: {},
  };
}

/** The fields that stand first in a response about an order. A request without `Party` gets that of the booking. */
export function orderResponseHead(party: unknown, { content }: GatewayOrder) {
  return offerResponseHead(party ?? content.Party, content.ShoppingResponseId);
}

/** `Party` of a request in the form of responses, whatever its spelling; AirFareRules has contacts of another form. */
function echoedParty(party: unknown) {
  const agency = memberAt(party, "Sender", "TravelAgencySender");
  const contacts = listOf(memberAt(agency, "Contacts", "Contact")).map((contact) => {
    const email = member(contact, "EmailContact");
    return { EmailContact: textOf(member(email, "Address")) ?? textOf(email) ?? "" };
  });
  return {
    Sender: {
      TravelAgencySender: {
        Name: textOf(member(agency, "Name")) ?? "",
        IATA_Number: textOf(member(agency, "IATA_Number")) ?? "",
        AgencyID: textOf(member(agency, "AgencyID")) ?? "",
        Contacts: { Contact: contacts },
      },
    },
  };
}
