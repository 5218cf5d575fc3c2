import { VisuallyHidden } from "@mantine/core";
import { readingsOf } from "../../../itinerary/contradicted-time.ts";
import type {
  FlightDifference,
  FlightMember,
  ItineraryDifference,
  MarkedFlight,
} from "../../../itinerary/difference.ts";
import { detailsOf } from "../../../itinerary/flight-details.ts";
import type { Itinerary, LocalPoint } from "../../../itinerary/itinerary.ts";
import type { CaseView } from "../api/responses.ts";
import { ArrowIcon } from "../components/icons.tsx";
import { formatLocalDate, formatShift } from "../labels/moments.ts";
import { TimeAxes } from "./time-axis.tsx";

interface FlightsPanelProps {
  readonly booked: Itinerary | null;
  readonly difference: ItineraryDifference | null;
  readonly journeyTimes: CaseView["journeyTimes"];
  readonly columns: readonly [string, string];
}

export function FlightsPanel({ booked, difference, journeyTimes, columns }: FlightsPanelProps) {
  const compared = difference?.journeys.flatMap(({ flights }) => flights) ?? null;
  const known = compared ?? (booked?.segments ?? []).map((flight) => ({ before: [{ flight, changed: [] }] }));
  return (
    <section className="panel" aria-labelledby="flights">
      <h2 id="flights">
        Flights <span className="quiet">times are local at each airport, as printed</span>
      </h2>
      {known.length === 0 ? (
        <p className="quiet">No flights are known yet. The booking has not been read.</p>
      ) : (
        <table className="flights">
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col">{columns[1] === "Proposed" ? "Proposed by the airline" : columns[1]}</th>
            </tr>
          </thead>
          <tbody>
            {known.map((pair, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: keys of flights may repeat, and rows are never reordered.
              <tr key={position} className={isChanged(pair) ? "changed" : "same"}>
                <td>
                  {pair.before.length === 0 ? (
                    <span className="quiet">no flight</span>
                  ) : (
                    <Flights flights={pair.before} />
                  )}
                </td>
                <td>{"action" in pair ? <Proposed difference={pair} /> : <span className="quiet">not known</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {journeyTimes === null ? null : <TimeAxes journeys={journeyTimes} names={columns} />}
    </section>
  );
}

function isChanged(pair: object | FlightDifference): boolean {
  return "action" in pair && pair.action !== "unchanged";
}

function Proposed({ difference }: { readonly difference: FlightDifference }) {
  if (difference.action === "removed") {
    return (
      <p className="withdrawn">
        <strong>Withdrawn</strong>
        <span className="quiet">No alternative is offered.</span>
      </p>
    );
  }
  if (difference.action === "unchanged") {
    return (
      <div className="unchanged">
        <Flights flights={difference.after} />
        <span className="quiet">unchanged</span>
      </div>
    );
  }
  const shifts = [
    { what: "departure", shift: difference.departureShift.wallClockMinutes },
    { what: "arrival", shift: difference.arrivalShift.wallClockMinutes },
  ].flatMap(({ what, shift }) => {
    const text = shift.known ? formatShift(shift.value) : null;
    return text === null ? [] : [{ what, text }];
  });
  return (
    <>
      <Flights flights={difference.after} isNew />
      {shifts.length === 0 ? null : (
        <p className="shifts">
          {shifts.map(({ what, text }) => (
            <span key={what}>
              {what} <strong>{text}</strong>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Flights({ flights, isNew = false }: { readonly flights: readonly MarkedFlight[]; readonly isNew?: boolean }) {
  return (
    <div className="flight-list">
      {flights.map((marked) => (
        <Flight key={`${numberOf(marked)}${marked.flight.departure.airport ?? ""}`} marked={marked} isNew={isNew} />
      ))}
    </div>
  );
}

function Flight({ marked, isNew }: { readonly marked: MarkedFlight; readonly isNew: boolean }) {
  const { flight, changed } = marked;
  const value = (text: string, ...members: readonly FlightMember[]) => (
    <Value text={text} isDifferent={members.some((member) => changed.includes(member))} isNew={isNew} />
  );
  return (
    <div className="flight-card">
      <div className="flight-name">
        {value(numberOf(marked), "marketingCarrier", "marketingFlightNumber")}
        {detailsOf(flight, changed).map((detail) => (
          <span key={detail.label} className="quiet">
            {detail.label} <Value text={detail.value} isDifferent={detail.isDifferent} isNew={isNew} />
          </span>
        ))}
      </div>
      <div className="flight-way">
        <Point marked={marked} end="departure" isNew={isNew} />
        <ArrowIcon />
        <VisuallyHidden>to</VisuallyHidden>
        <Point marked={marked} end="arrival" isNew={isNew} />
      </div>
    </div>
  );
}

function numberOf({ flight }: MarkedFlight): string {
  return `${flight.marketingCarrier ?? "?"}${flight.marketingFlightNumber ?? "?"}`;
}

interface PointProps {
  readonly marked: MarkedFlight;
  readonly end: "departure" | "arrival";
  readonly isNew: boolean;
}

function Point({ marked, end, isNew }: PointProps) {
  const point = marked.flight[end];
  const doubt = describeDoubt(point);
  const value = (text: string, name: "airport" | "date" | "time" | "terminal") => (
    <Value text={text} isDifferent={marked.changed.includes(`${end}.${name}`)} isNew={isNew} />
  );
  return (
    <div className="point">
      <div className="point-time">
        {value(timeOf(point), "time")} {value(point.airport ?? "?", "airport")}
        {point.terminal === null || point.terminal === "" ? null : (
          <span className="quiet"> {value(`T${point.terminal}`, "terminal")}</span>
        )}
      </div>
      <div className="point-date">{value(point.date === null ? "?" : formatLocalDate(point.date, true), "date")}</div>
      {doubt === null ? null : <div className="point-date">{doubt}</div>}
    </div>
  );
}

function timeOf({ time, contradiction }: LocalPoint): string {
  return time ?? (contradiction === undefined ? null : readingsOf(contradiction)) ?? "?";
}

/** In the words of the reasons. */
function describeDoubt({ airport, contradiction, unreadTime, isZoneContradicted }: LocalPoint): string | null {
  if (unreadTime !== undefined) return `Its time cannot be read: ${unreadTime}.`;
  if (contradiction !== undefined) return `It states ${contradiction}.`;
  return isZoneContradicted === true ? `The stated durations contradict the time zone of ${airport ?? "?"}.` : null;
}

interface ValueProps {
  readonly text: string;
  readonly isDifferent: boolean;
  readonly isNew: boolean;
}

function Value({ text, isDifferent, isNew }: ValueProps) {
  if (!isDifferent) return <span>{text}</span>;
  return isNew ? <ins>{text}</ins> : <del>{text}</del>;
}
