import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile } from "../../../src/app/policy-file.ts";
import { readChange } from "../../../src/app/read-change.ts";
import { computeOrderFacts } from "../../../src/cli/order-facts.ts";
import { viewOfOrder } from "../../../src/contract/order-views.ts";
import { shippedMarks } from "../../../src/itinerary/member-marks.ts";
import { familyNames, readFamily } from "../../corpus/corpus-files.ts";
import { decideWithWorker } from "../../harness/decide-with-worker.ts";

/** Whoever reads a change reads it alike: `policy explain` and the backtest, `facts`, and the worker. */
describe("the decision about a change", () => {
  const { policy } = readPolicyFile("balanced");
  const now = new Date("2026-12-01T00:00:00Z");

  async function expectAlike(body: Uint8Array, statusBody: Uint8Array | null): Promise<void> {
    const reading = readChange({ body, statusBody });
    const judged = evaluateNotification({ body, statusBody, source: "default", now }, [policy]);
    expect(judged.ok).toBe(reading.ok);
    if (!reading.ok || !judged.ok) return;
    const { notified, status } = reading;
    for (const { orderId, verdicts, assessment } of judged.orders) {
      const own = viewOfOrder(notified, orderId);
      // The worker reads each view of a list by itself.
      if (own === null || notified.length > 1) continue;
      const references = [...new Set((status?.view ?? own).orders.flatMap((order) => order.gdsBookingReferences))];
      // Without one the worker reads no status, and asks for it.
      if (references.length === 0) continue;
      const { action, rule, reasons } = verdicts[0]!;
      const decided = await decideWithWorker({
        orderId,
        notified: own,
        references,
        statusBody: statusBody ?? body,
        policy,
        now,
      });
      expect(decided).toMatchObject({ action, rule, reasons });
      if (status?.view === null) continue;
      const facts = computeOrderFacts(orderId, own, status?.view ?? own, { now, marks: shippedMarks })?.facts ?? {};
      for (const [name, { unit: _, ...fact }] of Object.entries(facts)) {
        // The command has no history of an order; a first case has one of one change.
        if (!fact.known && fact.reason === "no-history") continue;
        expect({ [name]: fact }).toEqual({ [name]: assessment.facts[name as keyof typeof assessment.facts] });
      }
    }
  }

  const files = ["samples", "test/real"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".json") && !name.endsWith(".status.json"))
      .map((name) => `${folder}/${name}`),
  );

  test.each(files)("is the same wherever %s is read", async (file) => {
    const status = file.replace(/\.json$/, ".status.json");
    const hasStatus = readdirSync(file.slice(0, file.lastIndexOf("/"))).includes(
      status.slice(status.lastIndexOf("/") + 1),
    );
    await expectAlike(readFileSync(file), hasStatus ? readFileSync(status) : null);
  });

  test("is the same wherever the bodies of other gateways are read", async () => {
    for (const name of readdirSync("src/contract/examples")) {
      if (name.startsWith("OCN.request") || name === "AirReservationStatus.response.json") {
        await expectAlike(readFileSync(`src/contract/examples/${name}`), null);
      }
    }
  });

  test.each(familyNames())("is the same wherever the bodies of the family %s are read", async (family) => {
    const { bodies } = readFamily(family);
    const all = [...bodies.values()];
    for (const body of all.filter((_, position) => position % Math.ceil(all.length / 40) === 0)) {
      await expectAlike(body, null);
    }
  });

  test.each([
    [{ Error: { Code: "911", Value: "PARTIAL_DATA" } }, "PARTIAL_DATA"],
    [{ Error: [{ ShortText: "NO ACCESS" }] }, "NO ACCESS"],
    [["CLOSED"], "CLOSED"],
  ])("is a person's when the status states errors beside the order: %j", async (errors, text) => {
    const body = readFileSync("samples/ocn-minor-delay.json");
    const { OrderViewRS } = JSON.parse(body.toString("utf8")) as { OrderViewRS: object };
    const statusBody = Buffer.from(JSON.stringify({ OrderViewRS: { ...OrderViewRS, Success: true, Errors: errors } }));
    const judged = evaluateNotification({ body, statusBody, source: "default", now }, [policy]);

    expect(judged).toMatchObject({
      ok: true,
      orders: [{ verdicts: [{ action: "review", rule: "check:status", reasons: [{ code: "status-refused" }] }] }],
    });
    expect(JSON.stringify(judged)).toContain(`It says: ${text}`);
    await expectAlike(body, statusBody);
  });

  test("is a person's when the status shows another order", async () => {
    const body = readFileSync("samples/ocn-minor-delay.json");
    const statusBody = Buffer.from(body.toString("utf8").replaceAll(/"OrderID": *"[^"]*"/g, '"OrderID": "ANOTHER1"'));

    expect(evaluateNotification({ body, statusBody, source: "default", now }, [policy])).toMatchObject({
      ok: true,
      orders: [{ verdicts: [{ action: "review", reasons: [{ code: "order-not-in-status" }] }] }],
    });
    await expectAlike(body, statusBody);
  });
});
