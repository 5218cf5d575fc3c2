import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ReadOrder } from "../../../../src/cli/import/check-order.ts";
import { readOrdersFile } from "../../../../src/cli/import/orders-file.ts";
import { itineraryOf } from "../../../../src/itinerary/imported-order.ts";

const header =
  "OrderID,GdsBookingReference,Departure,DepartureDate,DepartureTime,Arrival,ArrivalDate,ArrivalTime,MarketingCarrier,FlightNumber";
const outbound = "QX7R2M1A,LHSKD1,LIS,2027-03-14,07:10,FRA,2027-03-14,11:20,LH,1167";
const inbound = "QX7R2M1A,LHSKD1,FRA,2027-03-21,17:30,LIS,2027-03-21,19:45,LH,1172";

/** The text in chunks of so many bytes, which cut lines and characters anywhere. */
async function* chunksOf(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array): Promise<readonly ReadOrder[]> {
  const orders: ReadOrder[] = [];
  for await (const order of readOrdersFile(() => chunksOf(text))) orders.push(order);
  return orders;
}

async function readCsv(...lines: readonly string[]): Promise<readonly ReadOrder[]> {
  return await read([header, ...lines].join("\r\n"));
}

async function problemsOf(...lines: readonly string[]): Promise<readonly string[]> {
  return (await readCsv(...lines)).flatMap((order) => (order.ok ? [] : order.problems));
}

describe("a CSV file of orders", () => {
  test("gives each order with its flights, sorted into journeys", async () => {
    const [order, ...others] = await readCsv(outbound, inbound, "");

    expect(others).toEqual([]);
    if (order?.ok !== true) throw new Error(JSON.stringify(order));
    expect(order).toMatchObject({ line: 2, order: { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] } });
    const stated = itineraryOf(order.order);
    expect(stated).toMatchObject({
      ok: true,
      itinerary: {
        segments: [
          {
            departure: { airport: "LIS", date: "2027-03-14", time: "07:10" },
            marketingFlightNumber: "1167",
            operatingCarrier: "LH",
          },
          { departure: { airport: "FRA" } },
        ],
        journeys: [
          { origin: "LIS", destination: "FRA", segments: [0] },
          { origin: "FRA", destination: "LIS", segments: [1] },
        ],
      },
    });
  });

  test.each([
    ["semicolons", (text: string) => text.replaceAll(",", ";")],
    ["tabs", (text: string) => text.replaceAll(",", "\t")],
    ["a byte order mark", (text: string) => `\uFEFF${text}`],
    ["quoted values", (text: string) => text.replaceAll("LHSKD1", '"LHSKD1"')],
    [
      "other spellings of its header",
      (text: string) => text.replace("OrderID", "order_id").replace("FlightNumber", "flight number"),
    ],
    ["separators at the end of each line", (text: string) => text.replaceAll(/$/gm, ",, ")],
    ["small letters and padded flight numbers", (text: string) => text.replace("LIS", "lis").replace("1167", "01167")],
    [
      "columns that are optional",
      (text: string) => text.replace("FlightNumber", "FlightNumber,Journey,RBD").replace(/1167|1172/g, "$&,,"),
    ],
  ])("may have %s", async (_, change) => {
    const plain = await read(`${header}\n${outbound}\n${inbound}`);
    const varied = await read(change(`${header}\n${outbound}\n${inbound}`).replace("01167", "1167"));

    expect(varied).toEqual(plain);
  });

  test("names several booking references of one order, and joins those of its lines", async () => {
    const [order] = await readCsv(outbound.replace("LHSKD1", "LHSKD1 UASKD2"), inbound);

    expect(order).toMatchObject({ order: { gdsBookingReferences: ["LHSKD1", "UASKD2"] } });
  });

  test.each([
    [
      "2027-02-30",
      "line 3: DepartureDate must be a date as yyyy-mm-dd",
      inbound.replace("2027-03-21,17", "2027-02-30,17"),
    ],
    ["a time past midnight", "line 3: DepartureTime must be a time as hh:mm", inbound.replace("17:30", "24:00")],
    ["no airport code", "line 3: Departure must be an IATA airport code such as FRA", inbound.replace("FRA", "FRAX")],
    [
      "an arrival before the departure",
      "line 3: ArrivalTime is not after the departure",
      inbound.replace("19:45", "10:45"),
    ],
    ["no flight number", "line 3: FlightNumber must be a flight number such as 1167", inbound.replace("1172", "")],
  ])("says which line and column hold %s", async (_, problem, line) => {
    expect(await problemsOf(outbound, line)).toEqual([problem]);
  });

  test.each([
    [
      "too many booking references",
      "GdsBookingReference must hold at most 20 references",
      [outbound.replace("LHSKD1", Array.from({ length: 21 }, (_, i) => `REF${i}`).join(" "))],
    ],
    [
      "a long booking reference",
      "GdsBookingReference must have at most 128 characters",
      [outbound.replace("LHSKD1", "R".repeat(129))],
    ],
    [
      "too many flights",
      "the flights must be at most 40",
      Array.from({ length: 41 }, (_, i) => outbound.replace("1167", `${i + 1}`)),
    ],
  ])("says in words of its columns that an order has %s", async (_, problem, lines) => {
    expect(await problemsOf(...lines)).toEqual([problem]);
  });

  test("says that a journey is stated for some flights only, or is no number", async () => {
    const problemsWith = async (journey: string): Promise<readonly string[]> => {
      const [order] = await read([`${header},Journey`, `${outbound},1`, `${inbound},${journey}`].join("\n"));
      return order?.ok === false ? order.problems : [];
    };

    expect(await problemsWith("")).toEqual(["line 3: Journey must be stated for every flight, or for none"]);
    expect(await problemsWith("two")).toEqual(["line 3: Journey must be a whole number"]);
  });

  test("leaves out the order that is wrong, and no other", async () => {
    const orders = await readCsv(outbound.replace("LIS", "L"), inbound, outbound.replace("QX7R2M1A", "GOOD"));

    expect(orders.map((order) => [order.line, order.ok])).toEqual([
      [2, false],
      [4, true],
    ]);
  });

  test("refuses an OrderID with a character that nobody sees, which would look like another order", async () => {
    expect(await readCsv(outbound.replaceAll("QX7R2M1A", "QX7R\u200b2M1A"))).toMatchObject([
      { ok: false, problems: [expect.stringContaining("must not hold characters that nobody sees, such as U+200B")] },
    ]);
  });

  test.each([
    [
      "has a quote that is not closed",
      'QX7R2M1A,"LHSKD1,FRA,2027-03-21,17:30,LIS,2027-03-21,19:45,LH,1172',
      "a quote is not closed",
    ],
    [
      "goes on after a quoted value",
      '"QX7R2M1A"X,LHSKD1,FRA,2027-03-21,17:30,LIS,2027-03-21,19:45,LH,1172',
      "a quoted value goes on after its quote",
    ],
    ["has more values than the header", `${inbound},X`, "has more values than the header"],
    ["names no order", inbound.replace("QX7R2M1A", " "), "has no OrderID"],
  ])("takes no order for whole that a line may belong to which %s", async (_, torn, problem) => {
    const before = await readCsv(
      outbound,
      torn,
      outbound.replaceAll("QX7R2M1A", "B"),
      outbound.replaceAll("QX7R2M1A", "C"),
    );
    expect(
      before.map((order) => (order.ok ? order.order.orderId : [order.line, order.orderId, order.problems[0]])),
    ).toEqual([
      [2, "QX7R2M1A", "line 3 may belong to it and cannot be read"],
      [3, null, problem],
      [4, "B", "line 3 may belong to it and cannot be read"],
      "C",
    ]);
  });

  test("takes no part of an order whose lines do not follow each other: each would be taken for all of it", async () => {
    const other = outbound.replace("QX7R2M1A", "OTHER");
    const orders = await readCsv(outbound, other, inbound);

    expect(orders).toMatchObject([
      { ok: false, line: 2, orderId: "QX7R2M1A", problems: [expect.stringContaining("sort the lines by OrderID")] },
      { ok: true, line: 3, order: { orderId: "OTHER" } },
      { ok: false, line: 4, orderId: "QX7R2M1A", problems: [expect.stringContaining("sort the lines by OrderID")] },
    ]);
  });

  test("takes an order for whole across a line that is empty, and not across one that cannot be read", async () => {
    expect(await readCsv(outbound, "", inbound)).toMatchObject([{ ok: true, line: 2 }]);
    expect(await readCsv(outbound, '"', inbound)).toMatchObject([
      { ok: false, line: 2, problems: ["line 3 may belong to it and cannot be read"] },
      { ok: false, line: 3 },
      { ok: false, line: 4, problems: ["line 3 may belong to it and cannot be read"] },
    ]);
  });

  test.each([
    ["lacks FlightNumber", header.replace(",FlightNumber", "")],
    ["has the unknown Passenger", `${header},Passenger`],
    ["has OrderID twice", `${header},orderid`],
    ["has a column without a name", header.replace("Departure,", "Departure,,")],
  ])("is refused whose header %s", async (problem, text) => {
    await expect(read(`${text}\n${outbound}`)).rejects.toMatchObject({
      code: "import.bad_header",
      message: expect.stringContaining(problem),
    });
  });
});

const stated = {
  orderId: "QX7R2M1A",
  gdsBookingReferences: ["LHSKD1"],
  segments: [
    {
      departure: { airport: "LIS", date: "2027-03-14", time: "07:10" },
      arrival: { airport: "FRA", date: "2027-03-14", time: "11:20" },
      marketingCarrier: "LH",
      marketingFlightNumber: "1167",
    },
  ],
};

describe("a JSON file of orders", () => {
  test("has an order on each line, of which a broken one harms no other", async () => {
    const orders = await read(
      [JSON.stringify(stated), "", "{broken", JSON.stringify({ ...stated, orderId: "B", name: "x" })].join("\n"),
    );

    expect(orders).toMatchObject([
      { ok: true, line: 1, order: { orderId: "QX7R2M1A" } },
      { ok: false, line: 3, problems: ["is not JSON"] },
      { ok: false, line: 4, orderId: "B", problems: ["has the unknown member name"] },
    ]);
  });

  test("is one document over many lines", async () => {
    expect(await read(JSON.stringify([stated], null, 2))).toMatchObject([{ ok: true, order: { orderId: "QX7R2M1A" } }]);
  });

  test.each(["AirReservationStatus", "AirDocRetreive"])("is an order view as %s returns it", async (operation) => {
    const view = readFileSync(new URL(`../../../../src/contract/examples/${operation}.response.json`, import.meta.url));

    const orders = await read(view);

    expect(orders.length).toBeGreaterThan(0);
    for (const order of orders) {
      expect(order).toMatchObject({ ok: true, order: { orderId: expect.any(String) } });
      if (order.ok) expect(itineraryOf(order.order).ok).toBe(true);
    }
  });

  test("comes, read from an order view, with what nobody reads of it, masked as it is kept", async () => {
    const view = JSON.parse(
      readFileSync(
        new URL("../../../../src/contract/examples/AirReservationStatus.response.json", import.meta.url),
        "utf8",
      ),
    ) as { OrderViewRS: Record<string, unknown> };
    view.OrderViewRS.TourKind = "Guided";
    view.OrderViewRS.TourLeader = { Note: "Ana Silva waits at the gate of the tour" };

    const [order] = await read(JSON.stringify(view));

    expect(order).toMatchObject({
      ok: true,
      order: {
        observed: {
          isUnchanged: expect.any(Boolean),
          statements: expect.arrayContaining([
            expect.objectContaining({ path: "TourKind", example: "Guided", valueDigest: expect.any(String) }),
            expect.objectContaining({ path: "TourLeader.Note" }),
          ]),
        },
      },
    });
    expect(JSON.stringify(order)).not.toMatch(/Silva/);
  });

  test("comes with no more of what nobody reads than one request can hold", async () => {
    const view = JSON.parse(
      readFileSync(
        new URL("../../../../src/contract/examples/AirReservationStatus.response.json", import.meta.url),
        "utf8",
      ),
    ) as { OrderViewRS: Record<string, unknown> };
    for (let number = 0; number < 2_000; number++) view.OrderViewRS[`Tour${number}`] = `TOUR-99887766-${number}`;

    const [order] = await read(JSON.stringify(view));

    expect(order).toMatchObject({ ok: true, order: { observed: { statements: expect.any(Array) } } });
    expect(JSON.stringify(order).length).toBeLessThan(48 * 1024);
  });

  test("says of an order view that cannot be used what is wrong with it", async () => {
    expect(await read('{"OrderViewRS":{"Order":[]}}')).toMatchObject([
      { ok: false, problems: [expect.stringContaining("The order view has no Order.")] },
    ]);
  });

  test("states journeys of all flights, or of none", async () => {
    const segments = [
      { ...stated.segments[0], journey: 1 },
      { ...stated.segments[0], marketingFlightNumber: "9" },
    ];

    expect(await read(JSON.stringify({ ...stated, segments }))).toMatchObject([
      { ok: false, problems: ["/segments/1/journey must be stated for every flight, or for none"] },
    ]);
  });
});

test("an empty file and one that is not UTF-8 are refused", async () => {
  await expect(read("\n \n")).rejects.toMatchObject({ code: "import.empty" });
  await expect(read(Buffer.from([0x4f, 0xff, 0x0a]))).rejects.toMatchObject({ code: "import.not_utf8" });
});
