import { VisuallyHidden } from "@mantine/core";
import type { CaseView } from "../api/answers.ts";
import {
  type ComparedFlight,
  type ComparedPoint,
  type ComparedValue,
  compareItineraries,
  type FlightPair,
  formatShift,
} from "../words/flight-comparison.ts";
import { formatLocalDate } from "../words/moments.ts";
import { ArrowIcon } from "./icons.tsx";

/** Booked and proposed flights beside each other; only what differs stands out. */
export function FlightsPanel({ itineraries }: { readonly itineraries: CaseView["itineraries"] }) {
  const { booked, proposed } = itineraries;
  const pairs = compareItineraries(booked, proposed);
  return (
    <section className="panel" aria-labelledby="flights">
      <h2 id="flights">
        Flights <span className="quiet">times are local at each airport, as printed</span>
      </h2>
      {pairs.length === 0 ? (
        <p className="quiet">No flights are known yet: the reservation has not been read.</p>
      ) : (
        <table className="flights">
          <thead>
            <tr>
              <th scope="col">Booked</th>
              <th scope="col">Proposed by the airline</th>
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair) => (
              <tr key={pair.key} className={pair.isChanged ? "changed" : "same"}>
                <td>
                  {pair.booked.length === 0 ? (
                    <span className="quiet">no flight</span>
                  ) : (
                    <Flights flights={pair.booked} />
                  )}
                </td>
                <td>
                  <Proposed pair={pair} isKnown={proposed !== null} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Proposed({ pair, isKnown }: { readonly pair: FlightPair; readonly isKnown: boolean }) {
  if (!isKnown) return <span className="quiet">not known</span>;
  if (pair.proposed.length === 0) {
    return (
      <p className="withdrawn">
        <strong>Withdrawn</strong>
        <span className="quiet">Nothing is offered in its place.</span>
      </p>
    );
  }
  if (!pair.isChanged) {
    return (
      <div className="unchanged">
        <Flights flights={pair.proposed} />
        <span className="quiet">unchanged</span>
      </div>
    );
  }
  const shifts = [
    { what: "departure", text: formatShift(pair.departureShiftMinutes) },
    { what: "arrival", text: formatShift(pair.arrivalShiftMinutes) },
  ].filter(({ text }) => text !== null);
  return (
    <>
      <Flights flights={pair.proposed} isNew />
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

function Flights({
  flights,
  isNew = false,
}: {
  readonly flights: readonly ComparedFlight[];
  readonly isNew?: boolean;
}) {
  return (
    <div className="flight-list">
      {flights.map((flight) => (
        <Flight key={flight.number.text + flight.departure.airport.text} flight={flight} isNew={isNew} />
      ))}
    </div>
  );
}

function Flight({ flight, isNew }: { readonly flight: ComparedFlight; readonly isNew: boolean }) {
  return (
    <div className="flight-card">
      <div className="flight-name">
        <Value value={flight.number} isNew={isNew} />
        {flight.operatedBy.text === "" ? null : (
          <span className="quiet">
            operated by <Value value={flight.operatedBy} isNew={isNew} />
          </span>
        )}
        <span className="quiet">
          {flight.cabin.text === "" ? null : (
            <>
              cabin <Value value={flight.cabin} isNew={isNew} />
            </>
          )}
          {flight.aircraft.text === "" ? null : (
            <>
              {" "}
              aircraft <Value value={flight.aircraft} isNew={isNew} />
            </>
          )}
        </span>
      </div>
      <div className="flight-way">
        <Point point={flight.departure} isNew={isNew} />
        <ArrowIcon />
        <VisuallyHidden>to</VisuallyHidden>
        <Point point={flight.arrival} isNew={isNew} />
      </div>
    </div>
  );
}

function Point({ point, isNew }: { readonly point: ComparedPoint; readonly isNew: boolean }) {
  const date = { ...point.date, text: point.date.text === "?" ? "?" : formatLocalDate(point.date.text, true) };
  return (
    <div className="point">
      <div className="point-time">
        <Value value={point.time} isNew={isNew} /> <Value value={point.airport} isNew={isNew} />
        {point.terminal.text === "" ? null : (
          <span className="quiet">
            {" "}
            <Value value={point.terminal} isNew={isNew} />
          </span>
        )}
      </div>
      <div className="point-date">
        <Value value={date} isNew={isNew} />
      </div>
    </div>
  );
}

/** What is new is marked, what it replaces is struck; the same is left alone. */
function Value({ value, isNew }: { readonly value: ComparedValue; readonly isNew: boolean }) {
  if (!value.isDifferent) return <span>{value.text}</span>;
  return isNew ? <ins>{value.text}</ins> : <del>{value.text}</del>;
}
