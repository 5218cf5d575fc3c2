import type { Airport } from "../../geography.ts";

const earthRadiusMiles = 3958.8;

/** Statute miles along the great circle, rounded. */
export function milesBetween(from: Airport, to: Airport): number {
  const latitude = radians(to.latitude - from.latitude);
  const longitude = radians(to.longitude - from.longitude);
  const chord =
    Math.sin(latitude / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(longitude / 2) ** 2;
  return Math.round(2 * earthRadiusMiles * Math.asin(Math.sqrt(chord)));
}

/**
 * Minutes from gate to gate, in steps of five: taxiing, climb and descent, then cruise at about 490 miles an hour; west
 * winds make flights to the east shorter and flights to the west longer.
 */
export function blockMinutes(from: Airport, to: Airport): number {
  const miles = milesBetween(from, to);
  const eastward = Math.sin(radians(to.longitude - from.longitude));
  const cruise = (miles / 490) * 60 * (1 - 0.05 * Math.sign(eastward) * Math.min(1, Math.abs(eastward) * 2));
  return Math.round((32 + cruise) / 5) * 5;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
