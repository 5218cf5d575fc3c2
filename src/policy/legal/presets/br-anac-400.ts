import type { LegalPreset, NumberCondition, NumberFact } from "../preset.ts";
import { withdrawn } from "./conditions.ts";

/** Resolution 400 of ANAC, Brazil. */
export const brAnac400: LegalPreset = {
  id: "br-anac-400",
  title: "Brazil: general conditions of air transport",
  citation: "ANAC Resolution 400, Art. 12",
  sources: [
    "https://brasilturis.com.br/2025/12/10/voo-cancelado-pela-ventania-veja-seus-direitos-e-como-proceder-segundo-a-anac",
    "https://svdireitodequemvoa.com.br/alteracao-de-voo",
  ],
  asOf: "2026-11-20",
  reviewBy: "2027-05-31",
  onByDefault: false,
  scope: [{ touches: "BR" }],
  domesticWithin: "BR",
  triggers: [
    {
      id: "cancelled",
      title: "A flight is withdrawn",
      right: "refund-or-rerouting",
      paragraph: "Res. 400, Art. 12",
      when: withdrawn,
      clocks: ["br-traveller-told-72-hours"],
    },
    {
      id: "retimed",
      title: "Departure or arrival moves by more than the limit, either way",
      right: "refund-or-rerouting",
      paragraph: "Res. 400, Art. 12",
      when: {
        any: [
          moreThan("journeyDepartureEarlierMinutes"),
          moreThan("journeyDepartureLaterMinutes"),
          moreThan("journeyArrivalEarlierMinutes"),
          moreThan("journeyArrivalLaterMinutes"),
        ],
      },
      clocks: ["br-traveller-told-72-hours"],
    },
    {
      id: "told-late",
      title: "Any change that the traveller is told less than 72 hours before departure",
      right: "refund-or-rerouting",
      paragraph: "Res. 400, Art. 12",
      when: {
        all: [{ fact: "changedFlightCount", comparison: ">=", limit: 1 }, { toldLessThan: { hours: 72 } }],
      },
      clocks: ["br-traveller-told-72-hours"],
    },
  ],
  notes: ["Known from press and advisers only. The choice is another flight, a full refund or other transport."],
};

function moreThan(fact: NumberFact): NumberCondition {
  return { fact, comparison: ">", limit: { domestic: 30, international: 60 } };
}
