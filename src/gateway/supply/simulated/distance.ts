import { centralAngle, radians } from "../../../travel/airports.ts";
import type { Airport } from "../../served-airports.ts";

const earthRadiusMiles = 3958.8;

/** Great circle, rounded. */
export function milesBetween(from: Airport, to: Airport): number {
  return Math.round(earthRadiusMiles * centralAngle(from, to));
}

/**
 * Gate to gate, in steps of five: taxiing, climb and descent, then cruise at about 490 miles an hour. West winds make
 * eastbound flights shorter.
 */
export function blockMinutes(from: Airport, to: Airport): number {
  const miles = milesBetween(from, to);
  const eastward = Math.sin(radians(to.longitude - from.longitude));
  const cruise = (miles / 490) * 60 * (1 - 0.05 * Math.sign(eastward) * Math.min(1, Math.abs(eastward) * 2));
  return Math.round((32 + cruise) / 5) * 5;
}
