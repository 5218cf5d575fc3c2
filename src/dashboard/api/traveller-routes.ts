import { addresseeOf, type OwnAddresses, whyUnusable } from "../../contract/addressee.ts";
import { parseJson } from "../../contract/json.ts";
import { readTravellers, type StatedTravellers } from "../../contract/read-travellers.ts";
import { routes, success } from "../../http/route.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { StoredBodies } from "../body-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { bodyGone, noSuch, refuseDeletedBody, route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { travellersResponse } from "./responses.ts";

type Needs = {
  readonly bodies: Pick<StoredBodies, "readOrderBodies">;
  readonly ownAddressesOf: (source: string) => OwnAddresses;
  readonly logger: Logger;
};

const nothingStated: StatedTravellers = {
  travellers: [],
  emails: [],
  telephones: [],
  hasRefusedContact: false,
  otherTickets: [],
  otherOrderIds: [],
};

export const travellerRoutes = routes(casesTag.name, {
  readTravellers: route("GET /cases/{id}/travellers", requiredRoles.readTravellers, {
    summary: "Who travels, how to reach them, and their tickets",
    responses: { 200: success("The travellers.", travellersResponse), 404: noSuch("case"), 410: bodyGone },
    async handle({ params: { id }, caller: { actor, sources } }, { bodies, ownAddressesOf, logger }: Needs) {
      const found = await bodies.readOrderBodies(id, sources);
      if (found === null) return null;
      for (const body of found.bodies) {
        if ("deleted" in body) continue;
        const parsed = parseJson(body.bytes);
        const stated = parsed.ok ? readTravellers(parsed.value, found.orderId) : null;
        if (stated === null) continue;
        // Reads of travellers' data are logged.
        const source = body.kind === "status" ? { callId: body.id } : { notificationId: body.id };
        logger.info({ actor, caseId: id, ...source, bodyBytes: body.bytes.length }, "travellers.read");
        const statedBy = { kind: body.kind, id: body.id, at: body.at };
        return { body: { statedBy, ...stated, ...judgeEmails(stated, ownAddressesOf(found.source)) } };
      }
      const gone = found.bodies.find((body) => "deleted" in body);
      if (gone !== undefined) return refuseDeletedBody(gone.deleted);
      return { body: { statedBy: null, ...nothingStated, addressee: null, unusableEmails: [] } };
    },
  }),
});

function judgeEmails(stated: StatedTravellers, own: OwnAddresses) {
  const unusableEmails = stated.emails.flatMap((email) => {
    const why = whyUnusable(email, own);
    return why === null ? [] : [{ email, why }];
  });
  return { addressee: addresseeOf(stated, own), unusableEmails };
}
