import { readFileSync } from "node:fs";
import { type OrderViewBody, withDelayTaken, withFlags } from "../test/builders/sample-notification.ts";

/** Bodies of made-up orders, each with an id of its own: the same number makes the same bytes in every process. */
export interface OrderBodies {
  bodyOf(order: number): Buffer;
}

export function orderIdOf(order: number): string {
  return `B${String(order).padStart(7, "0")}`;
}

export function orderNumberOf(orderId: string): number {
  return Number(orderId.slice(1));
}

/** Notifications of 12.9 to 16.1 KB: three of the samples, in turn. */
export function mixedNotifications(): OrderBodies {
  const samples = ["minor-delay", "misconnection", "replaced-by-two"].map((name) => forAnyOrder(readSample(name)));
  return { bodyOf: (order) => samples[order % samples.length]!.bodyOf(order) };
}

/** Every sample, in turn. */
export function allSamples(): OrderBodies & { readonly count: number } {
  const names = ["minor-delay", "misconnection", "replaced-by-two", "cancelled", "flight-number-only"];
  const samples = names.map((name) => forAnyOrder(readSample(name)));
  return { count: samples.length, bodyOf: (order) => samples[order % samples.length]!.bodyOf(order) };
}

/** The sample that the shipped policy accepts: the outbound flight leaves 20 minutes later. */
export function minorDelay(): OrderBodies {
  return forAnyOrder(readSample("minor-delay"));
}

/** What a gateway returns about the minor delay once it was accepted. */
export function acceptedMinorDelay(): OrderBodies {
  const delayed = JSON.parse(readSample("minor-delay")) as OrderViewBody;
  const accepted = withFlags(withDelayTaken(delayed), { Accept: "N", Cancel: "N", ReSchedule: "N" });
  for (const order of accepted.OrderViewRS.Order) {
    order["ScheduleChangeStatus"] = "Accepted";
    order["PnrStatus"] = "CONFIRMED";
  }
  return forAnyOrder(JSON.stringify(accepted, null, 2));
}

/** A sample as it is, but about a journey that begins in about three months, whenever this is run. */
function readSample(name: string): string {
  const text = readFileSync(new URL(`../samples/ocn-${name}.json`, import.meta.url), "utf8");
  const ahead = Date.now() + 90 * dayMs - Date.parse("2027-03-14");
  const shiftMs = Math.round(ahead / (7 * dayMs)) * 7 * dayMs;
  return text.replaceAll(/\b20(?:2[6-9]|3\d)-\d\d-\d\d\b/g, (date) =>
    new Date(Date.parse(date) + shiftMs).toISOString().slice(0, 10),
  );
}

const dayMs = 86_400_000;

function forAnyOrder(text: string): OrderBodies {
  const [before, after, ...others] = text.split(/(?<="OrderID":\s*")[^"]*/);
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error("The sample does not name exactly one order.");
  }
  const head = Buffer.from(before);
  const tail = Buffer.from(after);
  return { bodyOf: (order) => Buffer.concat([head, Buffer.from(orderIdOf(order)), tail]) };
}
