import { aMinorDelay, aSegment, details } from "../../test/builders/order-view.ts";

/** A notification about 9 passengers, there and back with three changes of flight each way, and every flight retimed. */
export function aLargeOrder(): Buffer {
  const route = ["LIS", "FRA", "IST", "SIN", "SYD", "SIN", "IST", "FRA", "LIS"];
  const hours = [7, 12, 18, 8, 7, 19, 7, 14];
  const days = [14, 14, 14, 15, 28, 28, 29, 29];
  const at = (leg: number, minutes: number) => {
    const time = new Date(Date.UTC(2027, 2, days[leg], hours[leg], minutes)).toISOString();
    return `${time.slice(0, 10)} ${time.slice(11, 16)}`;
  };
  const legs = Array.from({ length: 8 }, (_, leg) => ({ key: `Segment${leg + 1}`, leg }));
  const view = aMinorDelay({
    passengers: ["ADT", "ADT", "ADT", "ADT", "CHD", "CHD", "CHD", "INF", "INF"],
    segments: legs.map(({ key, leg }) =>
      aSegment(key, `LH${leg + 100}`, `${route[leg]} ${at(leg, 0)} 1`, `${route[leg + 1]} ${at(leg, 190)} 1`),
    ),
    journeys: [legs.slice(0, 4), legs.slice(4)].map((journey) => journey.map(({ key }) => key)),
    changes: Object.fromEntries(
      legs.map(({ key, leg }) => [
        key,
        [details(`${route[leg]} ${at(leg, 20)} 1`, `${route[leg + 1]} ${at(leg, 210)} 1`)],
      ]),
    ),
  });
  return Buffer.from(JSON.stringify(view));
}
