import type { FareRuleTopic } from "../../../contract/elements/fare-rules.ts";
import { type MinorUnits, minorDigitsOf, toDecimalText } from "../../../travel/money.ts";
import type { FareRules, Fee, Offer, OfferedJourney } from "../offer.ts";
import { drawInteger } from "./draw.ts";

/** At least one paragraph per topic. */
export function fareRulesOf(seed: string, offer: Offer): readonly FareRules[] {
  return offer.journeys.map((journey) => {
    const airline = journey.flights[0]?.carrier ?? offer.owner;
    return {
      airline,
      fareCode: journey.flights[0]?.fareCode ?? "",
      fareBases: [...new Set(journey.flights.map(({ fareBasis }) => fareBasis))],
      from: journey.from,
      to: journey.to,
      paragraphs: paragraphs(seed, offer, journey, airline),
    };
  });
}

function paragraphs(
  seed: string,
  offer: Offer,
  journey: OfferedJourney,
  airline: string,
): Readonly<Record<FareRuleTopic, readonly string[]>> {
  const keys = [seed, airline, journey.from, journey.to, journey.brand.code];
  const { code, name } = journey.brand;
  const isFlexible = code === "FLEX";
  const days = isFlexible ? 0 : drawInteger(1, 14, "advance", ...keys);
  const hours = drawInteger(1, 3, "ticketing", ...keys) * 24;
  return {
    "RULE APPLICATION": [
      `${airline} ${name.toUpperCase()} FARES.`,
      `APPLIES FROM ${journey.from} TO ${journey.to} FOR ONE WAY AND ROUND TRIP FARES.`,
    ],
    "MIN STAY": [isFlexible ? "NO MINIMUM STAY." : "A SATURDAY NIGHT OR 3 DAYS WHEN COMBINED TO A ROUND TRIP."],
    "MAX STAY": ["TRAVEL FROM LAST STOPOVER MUST COMMENCE NO LATER THAN 12 MONTHS AFTER DEPARTURE FROM FARE ORIGIN."],
    SEASONS: ["PERMITTED ALL YEAR. THE FIRST FLIGHT OF THE JOURNEY DETERMINES THE SEASON."],
    BLACKOUTS: ["NONE."],
    "DAY/TIME": ["NO RESTRICTIONS."],
    "SALES RESTRICT": [`TICKETS MUST BE ISSUED ON ${airline}.`],
    "TVL RESTRICTION": ["NO RESTRICTIONS."],
    "ADVANCE RES/TKT": [
      days === 0
        ? "NO ADVANCE RESERVATION REQUIRED."
        : `RESERVATIONS ARE REQUIRED AT LEAST ${days} DAYS BEFORE DEPARTURE.`,
      `TICKETING MUST BE COMPLETED WITHIN ${hours} HOURS AFTER RESERVATIONS ARE MADE.`,
    ],
    "FLT APPLICATION": [`THE FARE COMPONENT MUST BE ON ${airline} OR ITS CODE SHARE FLIGHTS.`],
    "CHILD DISCOUNTS": [
      "ACCOMPANIED CHILD 2-11: CHARGE 75 PERCENT OF THE FARE.",
      "INFANT WITHOUT A SEAT: CHARGE 10 PERCENT OF THE FARE, NO CHARGE WITHIN ONE COUNTRY.",
    ],
    "TOUR CONDUCTOR": ["NO DISCOUNT."],
    "AGTS DISCOUNTS": ["NO DISCOUNT."],
    "OTHER DISCOUNTS": ["NO DISCOUNT."],
    STOPOVERS: ["NO STOPOVERS PERMITTED."],
    "TRANSFERS/RTGS": [`${journey.flights.length > 1 ? "ONE TRANSFER" : "NO TRANSFERS"} PERMITTED IN EACH DIRECTION.`],
    SURCHARGES: ["A CARRIER-IMPOSED SURCHARGE APPLIES TO EACH COUPON AND IS SHOWN AS YQ."],
    ELIGIBILITY: ["VALID FOR ANYONE."],
    "ACCOMPANY TVL": ["CHILDREN AND INFANTS MUST BE ACCOMPANIED BY AN ADULT IN THE SAME CABIN."],
    "TKT ENDORSEMENT": [
      `THE TICKET MUST BE ANNOTATED - ${offer.refundable ? "REFUNDABLE" : "NON REFUNDABLE"} - IN THE ENDORSEMENT BOX.`,
    ],
    PENALTIES: [
      `CHANGES BEFORE DEPARTURE: ${feeText(offer, offer.changeFee, "before")}`,
      `CHANGES AFTER DEPARTURE: ${feeText(offer, offer.changeFee, "after")}`,
      `CANCELLATIONS BEFORE DEPARTURE: ${feeText(offer, offer.cancelFee, "before")}`,
      `CANCELLATIONS AFTER DEPARTURE: ${feeText(offer, offer.cancelFee, "after")}`,
    ],
    COMBINABILITY: [`MAY BE COMBINED ON A HALF ROUND TRIP BASIS WITH ANY FARE OF ${airline} IN THE SAME CABIN.`],
    "HIGHER INTERMEDIATE POINT": ["DOES NOT APPLY."],
    DEPOSITS: ["NONE."],
    GROUPS: ["NO GROUP PROVISIONS APPLY."],
    TOURS: ["NO TOUR REQUIREMENTS APPLY."],
    "VISIT ANOTHER COUNTRY": ["DOES NOT APPLY."],
    "MISCELLANEOUS DATA": ["NONE."],
    "VOLUNTARY CHANGES": ["THE DIFFERENCE OF FARE AND TAXES APPLIES IN ADDITION TO THE FEE FOR THE CHANGE."],
    "VOLUNTARY REFUNDS": [
      offer.refundable
        ? "THE UNUSED PART IS REFUNDED LESS THE FEE FOR CANCELLING."
        : "UNUSED TAXES ARE REFUNDED ON REQUEST.",
    ],
  };
}

function feeText({ currency }: Offer, fee: Fee, when: keyof Fee): string {
  const amount: MinorUnits | null = fee[when];
  if (amount === null) return "NOT PERMITTED.";
  return amount === 0 ? "NO CHARGE." : `CHARGE ${currency} ${toDecimalText(amount, minorDigitsOf(currency))}.`;
}
