import { formatLocalDate } from "../labels/moments.ts";
import { describeConnection } from "./connection-words.ts";
import { type JourneyTimes, placeOnAxis, type Row, type TimedFlights } from "./time-scale.ts";
import "./time-axis.css";

/** Each journey on a time axis of its own: booked above proposed. */
export function TimeAxes({ journeys, names }: { readonly journeys: readonly JourneyTimes[]; readonly names: Names }) {
  return (
    <div className="time-axes">
      {journeys.map((journey, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: journeys have no name of their own, and are never reordered.
        <TimeAxis key={position} journey={journey} names={names} />
      ))}
    </div>
  );
}

/** The names of the upper and the lower row. */
type Names = readonly [string, string];

function TimeAxis({ journey, names }: { readonly journey: JourneyTimes; readonly names: Names }) {
  const rows = placeOnAxis(journey);
  return (
    <figure className="time-axis">
      <div className="axis-rows" role="img" aria-label={describe(journey, names)}>
        <AxisRow name={names[0]} kind="booked" row={rows.booked} connections={journey.booked.connections} />
        <AxisRow name={names[1]} kind="proposed" row={rows.proposed} connections={journey.proposed.connections} />
      </div>
    </figure>
  );
}

interface AxisRowProps {
  readonly name: string;
  readonly kind: "booked" | "proposed";
  readonly row: Row;
  readonly connections: TimedFlights["connections"];
}

function AxisRow({ name, kind, row, connections }: AxisRowProps) {
  const unplaced = row.bars.filter(({ from }) => from === null);
  return (
    <div className="axis-row">
      <span className="quiet">{name}</span>
      <div className="track">
        {row.bars.length === 0 ? <NoFlights kind={kind} /> : null}
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          {row.gaps.map(({ from, width, connection }, position) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: connections may repeat, and are never reordered.
              key={position}
              className={`gap ${connection.state}`}
              x={from}
              y={3}
              width={Math.max(width, 0.6)}
              height={4}
            />
          ))}
          {row.bars.map(({ from, width }, position) =>
            from === null ? null : (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: flights may repeat, and are never reordered.
                key={position}
                className={`bar ${kind}`}
                x={from}
                y={0}
                width={width}
                height={10}
              />
            ),
          )}
        </svg>
        <ol className="legs">
          {row.bars.map(({ flight, from }, position) => {
            const connection = connections[position];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: flights may repeat, and are never reordered.
              <li key={position}>
                <span>
                  {timeOf(flight.departure)} {flight.departure.airport ?? "?"}{" "}
                  <strong className={from === null ? "unknown" : undefined}>{flight.flight}</strong>{" "}
                  {flight.arrival.airport ?? "?"} {timeOf(flight.arrival)}
                </span>
                {connection === undefined ? null : (
                  <span className={`wait ${connection.state}`}>{describeConnection(connection)}</span>
                )}
              </li>
            );
          })}
        </ol>
        {unplaced.length === 0 ? null : (
          <span className="unknown">
            Not on the axis, because a time is not certain: {unplaced.map(({ flight }) => flight.flight).join(", ")}
          </span>
        )}
      </div>
    </div>
  );
}

/** A journey that the airline adds has no booked flights, and one that it withdraws no proposed ones. */
function NoFlights({ kind }: Pick<AxisRowProps, "kind">) {
  return kind === "proposed" ? (
    <span className="withdrawn-journey">withdrawn</span>
  ) : (
    <span className="quiet">no flight</span>
  );
}

function describe({ booked, proposed }: JourneyTimes, [above, below]: Names): string {
  return `${above}: ${describeFlights(booked)}. ${below}: ${describeFlights(proposed)}.`;
}

function describeFlights({ flights, connections }: TimedFlights): string {
  if (flights.length === 0) return "no flight";
  return flights
    .flatMap(({ flight, departure, arrival }, position) => [
      `${flight} ${pointOf(departure)} to ${pointOf(arrival)}`,
      ...(connections[position] === undefined ? [] : [describeChange(connections[position])]),
    ])
    .join(", ");
}

function describeChange(connection: TimedFlights["connections"][number]): string {
  const words = describeConnection(connection);
  return connection.state === "no-flight" ? words : `connection ${words}`;
}

type Point = TimedFlights["flights"][number]["departure"];

function pointOf({ airport, local, readings }: Point): string {
  const when = local === null ? null : `${formatLocalDate(local.slice(0, 10))} ${local.slice(11)}`;
  return `${airport ?? "unknown airport"} ${when ?? readings ?? "at an unknown time"}`;
}

function timeOf({ local, readings }: Point): string {
  return local?.slice(11) ?? readings ?? "?";
}
