import type { ChangeRequest } from "../change-request.ts";
import { drawInteger, drawOne } from "../supply/simulated/draw.ts";
import { bookTravellers } from "./book-travellers.ts";
import type { Scenario, ScenarioScript, Setting } from "./scenario-script.ts";
import { bookedFlight, datedFlight, dayAfter, flightsAtHub, nameOf } from "./timetable.ts";

/** How often the airline changes the flight back. */
const rounds = 4;

export const flappingFlight: Scenario = {
  name: "flapping-flight",
  summary: "One flight is moved and moved back again and again, and stays moved in the end.",
  expectation: "That each order has one case, that nothing is decided twice, and which notifications were superseded.",
  orders: { usual: 20, max: 2_000 },
  stepsPerSecond: 0.5,
  build: buildFlappingFlight,
};

function buildFlappingFlight(setting: Setting): ScenarioScript {
  const { seed, now } = setting;
  const flight = bookedFlight(drawOne(flightsAtHub("BA", "LHR", dayAfter(now, 30), "from"), seed, "flight"));
  const minutes = drawInteger(5, 11, seed, "minutes") * 5;
  const step = (what: string, change: ChangeRequest) =>
    ({
      happens: "flight-change",
      title: `${nameOf(flight)} ${what}`,
      flight: datedFlight(flight),
      change,
    }) as const;
  const away = step(`leaves ${minutes} minutes later`, { kind: "retime", departureMinutes: minutes });
  const back = step("is back at its first time", { kind: "restore" });
  return {
    orders: bookTravellers(setting, "FLAP", () => [flight]),
    steps: [
      ...Array.from({ length: rounds }, () => [away, back]).flat(),
      step("leaves 15 minutes later", { kind: "retime", departureMinutes: 15 }),
    ],
  };
}
