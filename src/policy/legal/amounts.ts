import type { BookedFlight, JourneyChange } from "../../itinerary/journey-changes.ts";
import type { Fact } from "../../kernel/fact.ts";
import type { LegalAmount } from "./assessment.ts";
import type { CarrierTable } from "./carriers.ts";
import { isDomestic, type Judged, judgeCondition } from "./judge-condition.ts";
import type { AmountRow, LegalPreset, LegalTrigger } from "./preset.ts";
import { staysWithin } from "./scope.ts";

/** Returns the amount per passenger of a journey; null if the trigger pays nothing or a needed fact is unknown. */
export function amountFor({ amount }: LegalTrigger, judged: Judged): LegalAmount | null {
  if (amount === undefined) return null;
  const { preset, journey, input } = judged;
  const size = sizeOf(journey, input.context.carriers);
  for (const row of amount.rows) {
    const fits = matches(row, preset, journey, size);
    if (fits === "unknown") return null;
    if (fits) {
      const mayBeReduced =
        amount.notReduced === undefined || judgeCondition(amount.notReduced.when, judged).truth.value === false;
      const mayBeReducedTo = mayBeReduced ? reduced(row, journey) : null;
      return { value: row.value, currency: amount.currency, mayBeReducedTo };
    }
  }
  return null;
}

type Fit = boolean | "unknown";

function matches(row: AmountRow, preset: LegalPreset, journey: JourneyChange, size: CarrierSize | null): Fit {
  const distance = numberOf(journey, "journeyDistanceKm");
  const later = numberOf(journey, "journeyArrivalLaterMinutes");
  const fits: readonly Fit[] = [
    row.within === undefined ? true : staysWithin(row.within, journey).value,
    row.domestic === undefined ? true : isKind(row.domestic, preset, journey),
    row.upToKm === undefined ? true : distance === null ? "unknown" : distance <= row.upToKm,
    row.carrier === undefined ? true : size === null ? "unknown" : size === row.carrier,
    row.fromMinutesLater === undefined ? true : later === null ? "unknown" : later >= row.fromMinutesLater,
  ];
  if (fits.includes(false)) return false;
  return fits.includes("unknown") ? "unknown" : true;
}

function isKind(domestic: boolean, preset: LegalPreset, journey: JourneyChange): Fit {
  const { value } = isDomestic({ preset, journey });
  return value === "unknown" ? value : value === domestic;
}

function reduced({ reduced: rule }: AmountRow, journey: JourneyChange): string | null {
  const later = numberOf(journey, "journeyArrivalLaterMinutes");
  if (rule === undefined || later === null) return null;
  return later <= rule.upToMinutesLater ? rule.value : null;
}

/** Returns null if the fact is unknown, or missing in older stored facts. */
function numberOf({ facts }: JourneyChange, name: "journeyDistanceKm" | "journeyArrivalLaterMinutes"): number | null {
  const fact: Fact<number> | undefined = facts[name];
  return fact?.known === true ? fact.value : null;
}

type CarrierSize = "large" | "small";

/** Returns the carrier size of all flights; null if it differs or is unknown for one. */
function sizeOf({ flights }: JourneyChange, { size }: CarrierTable): CarrierSize | null {
  const sizes = flights.map((flight) => sizeOfFlight(flight, size));
  const [first] = sizes;
  return first !== undefined && sizes.every((other) => other === first) ? first : null;
}

/** A carrier that flies for a large carrier, which sold the flight, has the duties of a large one. */
function sizeOfFlight(
  { operatingCarrier, marketingCarrier }: BookedFlight,
  table: CarrierTable["size"],
): CarrierSize | undefined {
  const sizes = [operatingCarrier, marketingCarrier ?? operatingCarrier].map((code) =>
    code !== null && Object.hasOwn(table, code) ? table[code] : undefined,
  );
  if (sizes.includes("large")) return "large";
  return sizes.includes(undefined) ? undefined : "small";
}
