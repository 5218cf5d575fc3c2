import { formatLocalDate } from "../labels/moments.ts";
import { describeConnection } from "./connection-words.ts";
import { type JourneyTimes, type Lane, placeOnAxis, type TimedFlights } from "./time-scale.ts";
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

/** The names of the upper and the lower lane. */
type Names = readonly [string, string];

function TimeAxis({ journey, names }: { readonly journey: JourneyTimes; readonly names: Names }) {
  const lanes = placeOnAxis(journey);
  return (
    <figure className="time-axis">
      <div className="lanes" role="img" aria-label={describe(journey, names)}>
        <LaneRow name={names[0]} kind="booked" lane={lanes.booked} connections={journey.booked.connections} />
        <LaneRow name={names[1]} kind="proposed" lane={lanes.proposed} connections={journey.proposed.connections} />
      </div>
    </figure>
  );
}

interface LaneRowProps {
  readonly name: string;
  readonly kind: "booked" | "proposed";
  readonly lane: Lane;
  readonly connections: TimedFlights["connections"];
}

function LaneRow({ name, kind, lane, connections }: LaneRowProps) {
  const unplaced = lane.bars.filter(({ from }) => from === null);
  return (
    <div className="lane">
      <span className="quiet">{name}</span>
      <div className="track">
        {lane.bars.length === 0 ? <span className="withdrawn-lane">withdrawn</span> : null}
        <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          {lane.gaps.map(({ from, width, connection }) => (
            <rect
              key={`${connection.airport ?? ""}${from}`}
              className={`gap ${connection.state}`}
              x={from}
              y={3}
              width={Math.max(width, 0.6)}
              height={4}
            />
          ))}
          {lane.bars.map(({ flight, from, width }) =>
            from === null ? null : (
              <rect
                key={`${flight.flight}${from}`}
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
          {lane.bars.map(({ flight, from }, position) => {
            const connection = connections[position];
            return (
              <li key={flight.flight + (flight.departure.local ?? "")}>
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
