import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import {
  findPostgresPrograms,
  type InstalledPostgres,
  requiresPostgresPrograms,
} from "../harness/postgres-programs.ts";
import { rowsOf, startTwoInstallations, succeeds, type TwoInstallations } from "./two-installations.ts";

/** The steps of "Restoring" in `docs/operations.md`, one after the other, by the commands that stand there. */

const withPrograms = findPostgresPrograms() !== null || requiresPostgresPrograms() ? describe : describe.skip;

/** The policy accepts it. */
const small = { kind: "retime", departureMinutes: 10 };
/** The policy leaves it to a person. */
const large = { kind: "retime", departureMinutes: 120 };

let installations: TwoInstallations;
beforeEach(async () => {
  installations = await startTwoInstallations({ settings: { UNDO_WINDOW_SECONDS: "15" } });
}, 120_000);
afterEach(() => installations?.close(), 60_000);

/** The accepts and cancels that took effect, by order. */
async function effectsAtGateway(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items } = await installations.control<{ items: { orderId: string; operation: string; result: string }[] }>(
    "GET",
    "/journal?limit=500",
  );
  const found: Record<string, string[]> = {};
  for (const { orderId, operation, result } of items) {
    if (!operation.startsWith("AirOrderInvoluntary") || result !== "SUCCESS") continue;
    found[orderId] = [...(found[orderId] ?? []), operation.slice("AirOrderInvoluntary".length).toLowerCase()];
  }
  return found;
}

const effectsOf = async (on: InstalledPostgres, orderId: string): Promise<string[]> =>
  (await rowsOf<{ state: string }>(on, `select state from skedchange.effects where order_id = '${orderId}'`)).map(
    ({ state }) => state,
  );

withPrograms("a dump that is older than what happened at the gateway (needs pg_dump)", () => {
  test("is restored and brought in line with the gateway: nothing is repeated, and nothing is lost", async () => {
    const { live, restored, folder, gatewayUrl, controlToken } = installations;
    const { control, book, change, startAgency, skedchange } = installations;
    const { api, server } = await startAgency(live, "receiver,worker,dashboard");
    const inState = (orderId: string, state: string) => api.caseIn(orderId, [state]);
    for (const orderId of [
      "DONE01",
      "AGAIN1",
      "ERASED",
      "OPEN01",
      "TAKEN1",
      "CANCEL",
      "HELD01",
      "SENT01",
      "NEWTAK",
      "NEWOPN",
    ]) {
      await book(orderId);
    }

    for (const orderId of ["DONE01", "AGAIN1", "ERASED"]) await change(orderId, small);
    for (const orderId of ["OPEN01", "TAKEN1", "CANCEL"]) await change(orderId, large);
    for (const orderId of ["DONE01", "AGAIN1", "ERASED"]) await inState(orderId, "done");
    // An order with an open task is not erased.
    const { items: tasks } = (await api.get("/api/v1/tasks?state=open")) as {
      items: { id: string; orderId: string }[];
    };
    for (const { id } of tasks.filter(({ orderId }) => orderId === "ERASED")) {
      expect((await api.closeTask(id, "written to")).status).toBe(200);
    }
    const waiting = await Promise.all(["OPEN01", "TAKEN1", "CANCEL"].map((id) => inState(id, "awaiting-agent")));
    const head = /head\s+(\d+:[0-9a-f]+)/i.exec((await succeeds(skedchange(live, "audit", "verify"))).stdout)?.[1];
    expect(head).toBeDefined();
    const slow = { operation: "AirOrderInvoluntaryAccept", mode: "delay", delayMs: 8_000, afterEffect: true };
    await control("POST", "/faults", { ...slow, orderId: "SENT01" });
    await change("SENT01", small);
    await eventually(async () => expect(await effectsOf(live, "SENT01")).toEqual(["sent"]));
    // Last, so that the dump is taken while one accept is under way and the other can still be undone.
    await change("HELD01", small);
    await eventually(async () => {
      expect(await api.listCases("orderId=HELD01")).toMatchObject([{ decision: { action: "accept" } }]);
    });
    const dumpFile = join(folder, "skedchange.dump");
    await installations.dump(live, "--format=custom", `--file=${dumpFile}`);
    const dumpedAt = new Date().toISOString();

    for (const orderId of ["HELD01", "SENT01"]) await inState(orderId, "done");
    expect((await api.act(waiting[1]!.id, "accept")).status).toBe(202);
    expect((await api.act(waiting[2]!.id, "cancel", { confirm: "CANCEL" })).status).toBe(202);
    await change("AGAIN1", small);
    await change("NEWTAK", small);
    await change("NEWOPN", large);
    for (const orderId of ["TAKEN1", "CANCEL", "NEWTAK", "AGAIN1"]) await inState(orderId, "done");
    await inState("NEWOPN", "awaiting-agent");
    await succeeds(skedchange(live, "erase", "--order", "default/ERASED", "--by", "dpo", "--yes"));
    const erased = join(folder, "erased.jsonl");
    await writeFile(erased, (await succeeds(skedchange(live, "erase", "--list"))).stdout);
    const before = await effectsAtGateway();
    expect(before).toEqual({
      DONE01: ["accept"],
      AGAIN1: ["accept", "accept"],
      ERASED: ["accept"],
      HELD01: ["accept"],
      SENT01: ["accept"],
      TAKEN1: ["accept"],
      CANCEL: ["cancel"],
      NEWTAK: ["accept"],
    });
    await server.end("SIGKILL");

    await installations.restore(dumpFile);
    expect(await effectsOf(restored, "HELD01")).toEqual([]);
    expect(await effectsOf(restored, "SENT01")).toEqual(["sent"]);
    await succeeds(skedchange(restored, "audit", "verify", "--head", head!));
    await succeeds(skedchange(restored, "erase", "--apply", erased));
    const dashboard = await startAgency(restored, "dashboard");
    await succeeds(skedchange(restored, "automation", "stop", "--note", "restored to 14:05"));
    await dashboard.server.end("SIGTERM");
    const again = await startAgency(restored, "receiver,worker,dashboard");
    const reconciled = await skedchange(restored, "reconcile", "--repair", "--recheck");
    expect(reconciled).toMatchObject({ stdout: expect.stringContaining("status of 3 waiting cases") });
    expect([0, 1]).toContain(reconciled.code);
    const resend = ["deliveries", "resend", "--state", "delivered", "--since", dumpedAt];
    await succeeds(skedchange(restored, ...resend, "--url", gatewayUrl, "--token", controlToken));
    await eventually(
      async () => {
        const newest = new Map((await again.api.listCases()).toReversed().map((found) => [found.orderId, found]));
        expect(Object.fromEntries([...newest].map(([orderId, { state }]) => [orderId, state]))).toEqual({
          DONE01: "done",
          ERASED: "done",
          OPEN01: "awaiting-agent",
          TAKEN1: "resolved-elsewhere",
          // Its notification is so new that the status may lag behind it: it is looked at once more.
          CANCEL: "snoozed",
          HELD01: "resolved-elsewhere",
          SENT01: "done",
          NEWTAK: "resolved-elsewhere",
          NEWOPN: "awaiting-agent",
          // The gateway shows other flights as accepted than were accepted before the dump: a person looks.
          AGAIN1: "awaiting-agent",
        });
        expect(newest.get("CANCEL")?.decision?.rule).toBe("check:not-shown-yet");
        expect(newest.get("AGAIN1")?.decision?.rule).toBe("check:accepted-other-flights");
      },
      { timeoutMs: 60_000, everyMs: 250 },
    );
    await succeeds(skedchange(restored, "automation", "resume"));
    await eventually(async () => {
      expect(await rowsOf(restored, "select order_id from skedchange.cases where due_at is not null")).toEqual([
        { order_id: "CANCEL" },
      ]);
    });

    expect(await effectsAtGateway()).toEqual(before);
    await succeeds(skedchange(restored, "audit", "verify", "--head", head!));
    expect(await skedchange(restored, "erase", "--list")).toMatchObject({
      stdout: expect.stringContaining('"orderId":"ERASED"'),
    });
    const { code, stdout } = await skedchange(restored, "reconcile");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No inconsistencies found.") });

    const [open] = await again.api.listCases("orderId=NEWOPN");
    await again.api.act(open!.id, "accept");
    await again.api.caseIn("NEWOPN", ["done"]);
    expect(await effectsAtGateway()).toEqual({ ...before, NEWOPN: ["accept"] });
  }, 240_000);
});
