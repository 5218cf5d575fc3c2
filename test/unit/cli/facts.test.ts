import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { factCatalogue } from "../../../src/itinerary/fact-catalogue.ts";
import { aMinorDelay, anOrderView, details } from "../../builders/order-view.ts";
import { linesOf, runCaptured } from "./captured-terminal.ts";

const samples = fileURLToPath(new URL("../../../samples/", import.meta.url));
const now = ["--now", "2026-12-01T00:00:00Z"];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skedchange-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function aFile(content: unknown): Promise<string> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.json`);
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

async function facts(file: string, ...options: readonly string[]) {
  const run = await runCaptured(["facts", file, ...now, "--json", ...options]);
  if (run.exitCode !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

describe("skedchange facts", () => {
  test("prints itineraries, every fact with its unit, the severity and a summary as JSON", async () => {
    const printed = await facts(join(samples, "ocn-minor-delay.json"));

    expect(printed).toMatchObject({
      orderId: "QX7R2M1A",
      itineraries: {
        booked: { segments: [{ departure: { time: "07:10" } }, {}] },
        accepted: { segments: [{ departure: { time: "07:10" } }, {}] },
        proposed: { segments: [{ departure: { time: "07:30" } }, {}] },
      },
      severity: "minor",
      severityFacts: ["departureLaterMinutes", "arrivalLaterMinutes"],
      summary: "LH1167 LIS-FRA on 14 Mar 2027 leaves 20 min later, 07:30, and arrives 11:40. Nothing else changes.",
    });
    expect(Object.keys(printed.facts).sort()).toEqual(Object.keys(factCatalogue).sort());
    expect(printed.facts.departureLaterMinutes).toEqual({ known: true, value: 20, unit: "min" });
    expect(printed.facts.cancelled).toEqual({ known: true, value: false, unit: null });
    expect(printed.facts.changeSequence).toEqual({ known: false, reason: "no-history", unit: null });
  });

  test("prints the same as a table", async () => {
    const { exitCode, stdout } = await runCaptured(["facts", join(samples, "ocn-cancelled.json"), ...now]);

    const lines = linesOf(stdout);
    expect(exitCode).toBe(0);
    expect(lines.slice(0, 7)).toEqual([
      "Order QX7R2M1D  AISKD4",
      "AI995 DEL-DXB on 11 Feb 2027 is cancelled; nothing is offered in its place.",
      "Severity: critical (cancelled)",
      "",
      "Flights",
      "  Booked                                   Proposed",
      "  AI 995 2027-02-11 10:25 DEL → 12:45 DXB  withdrawn",
    ]);
    expect(lines.find((line) => line.startsWith("  minutesToDeparture "))).toMatch(/ 103975 +min$/);
    expect(lines.find((line) => line.startsWith("  departureLaterMinutes "))).toMatch(/ unknown \(withdrawn\)$/);
  });

  test.each([
    ["aircraft 32B", { Equipment: { AircraftCode: "321" } }, "aircraft 321"],
    ["operated by LH", { OperatingCarrier: { AirlineID: "EN" } }, "operated by EN"],
    ["no stop", { FlightDetail: { Stops: { Value: 1 } } }, "1 stop"],
  ])("shows in the flights what differs besides times: %s", async (booked, change, proposed) => {
    const file = await aFile(aMinorDelay({ changes: { Segment1: [change] } }));

    const lines = linesOf((await runCaptured(["facts", file, ...now])).stdout);

    const flight = "LH 1167 2027-03-14 07:10 LIS → 11:20 FRA";
    expect(
      lines
        .find((line) => line.startsWith("  LH 1167"))
        ?.trim()
        .split(/ {2,}/),
    ).toEqual([`${flight}, ${booked}`, `${flight}, ${proposed}`]);
    expect(lines.find((line) => line.startsWith("  LH 1172"))).toMatch(/ unchanged$/);
  });

  test("works on every sample", async () => {
    const severities: Record<string, string> = {};
    for (const name of await readdir(samples)) severities[name] = (await facts(join(samples, name))).severity;

    expect(severities).toEqual({
      "ocn-cancelled.json": "critical",
      "ocn-flight-number-only.json": "minor",
      "ocn-minor-delay.json": "minor",
      "ocn-misconnection.json": "critical",
      "ocn-replaced-by-two.json": "critical",
    });
  });

  test("computes as of the given instant", async () => {
    const printed = await facts(join(samples, "ocn-minor-delay.json"), "--now", "2027-03-14T09:00:00+02:00");

    expect(printed.facts.minutesToDeparture).toEqual({ known: true, value: 10, unit: "min" });
  });

  test("reads standard input for -", async () => {
    const stdin = await readFile(join(samples, "ocn-minor-delay.json"), "utf8");

    const { exitCode, stdout } = await runCaptured(["facts", "-", ...now], { stdin });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("Order QX7R2M1A");
  });

  test("reads what is proposed from the status, and what was booked from the notification", async () => {
    const status = anOrderView({ changes: { Segment1: [details("LIS 2027-03-14 08:10", "FRA 2027-03-14 12:20")] } });

    const printed = await facts(await aFile(aMinorDelay()), "--status", await aFile(status));

    expect(printed.facts.departureLaterMinutes).toMatchObject({ value: 60 });
    expect(printed.itineraries.booked.segments[0].departure.time).toBe("07:10");
  });

  test("prints a block for each order", async () => {
    const [other] = aMinorDelay({ orderId: "SECOND" }).OrderViewRS["Order"] as unknown[];
    const file = await aFile(aMinorDelay({ otherOrders: [other] }));

    const table = await runCaptured(["facts", file, ...now]);
    const json = await runCaptured(["facts", file, ...now, "--json"]);

    expect(linesOf(table.stdout).filter((line) => line.startsWith("Order "))).toEqual([
      "Order QX7R2M1A  LHSKD1",
      "Order SECOND  LHSKD1",
    ]);
    expect(json.stdout.split(/^(?=\{$)/m).map((block) => JSON.parse(block).orderId)).toEqual(["QX7R2M1A", "SECOND"]);
  });

  test("names the orders that the status does not show, prints the others, and ends with 1", async () => {
    const [other] = aMinorDelay({ orderId: "SECOND" }).OrderViewRS["Order"] as unknown[];
    const file = await aFile(aMinorDelay({ otherOrders: [other] }));
    const status = await aFile(aMinorDelay());

    const { exitCode, stdout, stderr } = await runCaptured(["facts", file, "--status", status, ...now]);

    expect(exitCode).toBe(1);
    expect(stdout).toContain("Order QX7R2M1A");
    expect(stderr).toBe(`The status in ${status} does not show order SECOND.\n`);
  });

  test.each([
    ["that is missing", "missing.json", "missing.json cannot be read: ENOENT"],
    ["that is not JSON", "{", "cannot be used (ocn.not_json): The body is not JSON in UTF-8."],
    ["that is no order view", "{}", "cannot be used (ocn.not_an_order_view)"],
    [
      "without an order",
      '{"OrderViewRS":{}}',
      "cannot be used (ocn.no_order at /OrderViewRS/Order): The order view has no Order.",
    ],
  ])("says what is wrong with a file %s, and ends with 1", async (_, content, text) => {
    const file = content === "missing.json" ? join(folder, content) : await aFile(content);

    const { exitCode, stdout, stderr } = await runCaptured(["facts", file]);

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(text);
  });

  test.each([
    ["an instant without a zone", ["x.json", "--now", "2027-03-14T07:10:00"], "Give an instant with its zone"],
    ["a day that does not exist", ["x.json", "--now", "2027-13-14T07:10:00Z"], "Give an instant with its zone"],
    ["standard input twice", ["-", "--status", "-"], "Only one of the two inputs can be standard input."],
  ])("ends with 2 for %s", async (_, args, text) => {
    const { exitCode, stderr } = await runCaptured(["facts", ...args]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain(text);
  });

  test("never prints who travels", async () => {
    const passengers = [{ PTC: "ADT", Individual: { GivenName: "TOPSECRET", Surname: "TOPSECRET" } }];
    const file = await aFile(aMinorDelay({ passengers }));

    const runs = await Promise.all([[], ["--json"]].map((options) => runCaptured(["facts", file, ...options])));

    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(JSON.stringify(runs)).not.toContain("TOPSECRET");
  });
});
