import { responseVersion } from "../../contract/envelope.ts";
import { listOf, member, memberAt, textOf } from "../../contract/lenient-value.ts";
import { gatewayDocumentName } from "../order-view-body.ts";
import type { GatewayOrder } from "../ports.ts";

/** The first members of every response. `Party` is empty if the request has none. */
export function responseHead(party: unknown, version = responseVersion) {
  return {
    Document: { Name: gatewayDocumentName, ReferenceVersion: version },
    Party: echoedParty(party),
  };
}

/** The first members of a response about an offer. */
export function offerResponseHead(party: unknown, shoppingResponseId: string) {
  return { ...responseHead(party), ShoppingResponseId: shoppingResponseId, Success: {} };
}

/** The first members of a response about an order. `Party` is that of the booking if the request has none. */
export function orderResponseHead(party: unknown, { content }: GatewayOrder) {
  return offerResponseHead(party ?? content.Party, content.ShoppingResponseId);
}

/** In the form of responses, whatever its spelling; AirFareRules has contacts of another form. */
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
