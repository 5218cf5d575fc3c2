import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/app/start-server.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { type AuditVerdict, verifyAudit } from "../../src/store/audit/audit-verification.ts";
import { migrate } from "../../src/store/database/migrator.ts";
import { silentLogger } from "../../src/telemetry/logger.ts";
import { shortTiming } from "../faults/timing.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { createEmptyDatabase, type TestDatabase } from "../harness/database.ts";
import { eventually } from "../harness/eventually.ts";
import { isSignedBy } from "../integration/sender/event-bench.ts";
import {
  type ReceivedPost,
  respondWith,
  type ScriptedReceiver,
  startReceiver,
} from "../integration/sender/scripted-receiver.ts";
import { type Detour, type ForwardedRequest, type Forwarder, startForwarder } from "./forwarder.ts";
import { type LoadedFixture, lastReleaseFixture, loadFixture } from "./load-fixture.ts";

/** What becomes of an order that nobody touches after the upgrade. README.md says what each one is. */
interface End {
  /** Of its newest case. */
  readonly state: string;
  /** Calls that reach the gateway after the upgrade. */
  readonly accepts: 0 | 1;
  /** Accepts and cancels that have taken effect at the gateway, before and after the upgrade. */
  readonly successes: 0 | 1;
}

const ends: Readonly<Record<string, End>> = {
  UPGDONE: { state: "done", accepts: 0, successes: 1 },
  UPGSECOND: { state: "awaiting-agent", accepts: 0, successes: 1 },
  UPGTICKET: { state: "done", accepts: 0, successes: 1 },
  UPGCANCELLED: { state: "done", accepts: 0, successes: 1 },
  UPGCLOSED: { state: "closed", accepts: 0, successes: 0 },
  UPGELSEWHERE: { state: "resolved-elsewhere", accepts: 0, successes: 0 },
  UPGREOPENED: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGFAILED: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGMIXED: { state: "awaiting-agent", accepts: 0, successes: 1 },
  UPGASKED: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGOPEN: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGTRAVELLER: { state: "awaiting-traveller", accepts: 0, successes: 0 },
  UPGRESCHEDULE: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGAPPROVAL: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGSNOOZEDLONG: { state: "snoozed", accepts: 0, successes: 0 },
  UPGSNOOZEDSHORT: { state: "awaiting-agent", accepts: 0, successes: 0 },
  UPGUNDOLONG: { state: "accept-pending", accepts: 0, successes: 0 },
  UPGUNDOSHORT: { state: "done", accepts: 1, successes: 1 },
  UPGPLANNED: { state: "done", accepts: 1, successes: 1 },
  UPGSENTDONE: { state: "done", accepts: 0, successes: 1 },
  UPGSENTLOST: { state: "done", accepts: 1, successes: 1 },
  UPGUNKNOWNDONE: { state: "done", accepts: 0, successes: 1 },
  UPGUNKNOWNLOST: { state: "done", accepts: 1, successes: 1 },
  UPGRECEIVED: { state: "done", accepts: 1, successes: 1 },
  UPGUNHEARD: { state: "done", accepts: 1, successes: 1 },
};

interface CaseDetail {
  readonly id: string;
  readonly orderId: string;
  readonly state: string;
  readonly dueAt: string | null;
  readonly approval: { readonly id: string; readonly action: string; readonly askedBy: string } | null;
  readonly decision: { readonly id: string } | null;
}

describe("the data of the last release", () => {
  let db: TestDatabase;
  /** Stands before the gateway and counts what it is asked. */
  let gateway: Forwarder;
  /** Stands before the receiver, where the fixture's sender finds it. */
  let receiver: Forwarder;
  let eventRecipient: ScriptedReceiver;
  let fixture: LoadedFixture;
  /** The audit before anything was upgraded. */
  let auditBefore: AuditVerdict;
  let server: RunningServer;
  let agency: AgencyApi;

  beforeAll(async () => {
    [db, gateway, receiver, eventRecipient] = await Promise.all([
      createEmptyDatabase(),
      startForwarder(showOldStatus),
      startForwarder(),
      startReceiver(respondWith(204)),
    ]);
    fixture = await loadFixture(lastReleaseFixture, db, {
      eventRecipient: eventRecipient.url,
      receiver: `${receiver.url}/ocn`,
    });
    await migrate({ ownerUrl: db.ownerUrl, serviceUser: new URL(db.serviceUrl).username });
    // Today's verification reads today's columns, and migrations change nothing that is audited.
    auditBefore = await verifyAudit(db.database);
    server = await startInstallation();
    gateway.forwardTo(server.gatewayUrl!);
    receiver.forwardTo(server.agencyUrl!);
    agency = openAgencyApi(server.agencyUrl!, fixture.tokens.api);
    // A migration and a whole installation take their time on a busy machine.
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await Promise.all([gateway?.close(), receiver?.close(), eventRecipient?.close()]);
    await db?.drop();
  });

  /** The installation as its operator starts it again: with the same settings, and all roles in one process. */
  async function startInstallation(): Promise<RunningServer> {
    const { tokens, encryptionKeys, secondPersonAbove } = fixture;
    const environment = {
      ROLES: "all",
      HOST: "127.0.0.1",
      PORT: "0",
      GATEWAY_PORT: "0",
      LOG_LEVEL: "silent",
      DATABASE_URL: db.serviceUrl,
      ENCRYPTION_KEYS: encryptionKeys,
      OCN_BEARER_TOKENS: tokens.ocn,
      API_TOKEN: tokens.api,
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_ACCESS_TOKEN: tokens.access,
      GATEWAY_CONTROL_TOKEN: tokens.control,
      SECOND_PERSON_ABOVE: secondPersonAbove,
      RECIPIENT_ALLOW_HTTP: "1",
      RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
    };
    const loaded = loadSettings(environment, () => "");
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    return await startServer({
      configuration: loaded.configuration,
      environment,
      logger: silentLogger,
      print: () => {},
      timing: shortTiming,
    });
  }

  /** By their order, an order with the same flights of which nothing was accepted. */
  const twins: Readonly<Record<string, string>> = { UPGSENTDONE: "UPGSENTLOST", UPGUNKNOWNDONE: "UPGUNKNOWNLOST" };
  const lagging = new Set(Object.keys(twins));

  /**
   * Statuses of gateways lag behind: at the first look after the upgrade these orders show their change as still open,
   * although it was accepted before. Whoever believes that sends a second accept.
   */
  function showOldStatus({ path, body }: ForwardedRequest): Detour | null {
    const orderId = [...lagging].find((each) => body.includes(`"${each}"`));
    if (path !== "/AirReservationStatus" || orderId === undefined) return null;
    lagging.delete(orderId);
    const referenceOf = (order: string): string => {
      const row = fixture.rowsOf("skedchange.effects").find((effect) => effect["order_id"] === order);
      return String((row as { gds_booking_references?: readonly string[] } | undefined)?.gds_booking_references?.[0]);
    };
    const twin = twins[orderId]!;
    const reference = referenceOf(orderId);
    const twinReference = referenceOf(twin);
    return {
      body: body.replaceAll(orderId, twin).replaceAll(reference, twinReference),
      readResponse: (text) => text.replaceAll(twin, orderId).replaceAll(twinReference, reference),
    };
  }

  const newestCase = async (orderId: string): Promise<CaseDetail> => {
    const [newest] = await agency.listCases(`orderId=${orderId}`);
    return (await agency.get(`/api/v1/cases/${newest?.id}`)) as CaseDetail;
  };

  const calls = (operation: string, orderId: string) =>
    gateway.requests.filter(({ path, body }) => path === `/${operation}` && body.includes(`"${orderId}"`));

  async function expectCalls(
    orderId: string,
    wanted: { accepts: number; cancels: number; successes: number },
  ): Promise<void> {
    const response = await fetch(`${server.gatewayUrl}/control/journal?limit=500&orderId=${orderId}`, {
      headers: { authorization: `Bearer ${fixture.tokens.control}` },
    });
    const { items } = (await response.json()) as { items: { operation: string; result: string }[] };
    const responses = items.filter(({ operation }) => operation.startsWith("AirOrderInvoluntary"));
    expect({
      orderId,
      accepts: calls("AirOrderInvoluntaryAccept", orderId).length,
      cancels: calls("AirOrderInvoluntaryCancel", orderId).length,
      successes: responses.filter(({ result }) => result === "SUCCESS").length,
    }).toEqual({ orderId, ...wanted });
  }

  /** What a person asks for, as their own script does. */
  async function act(person: keyof LoadedFixture["people"], orderId: string, action: object): Promise<number> {
    const { id } = await newestCase(orderId);
    const response = await fetch(`${server.agencyUrl}/api/v1/cases/${id}/actions`, {
      method: "POST",
      headers: { authorization: `Bearer ${fixture.people[person].token}`, "content-type": "application/json" },
      body: JSON.stringify(action),
    });
    return response.status;
  }

  test("the fixture is whole when it is loaded", () => {
    expect(auditBefore).toMatchObject({ broken: null, eventsGone: 0 });
    expect(auditBefore.checked).toBe(fixture.rowsOf("skedchange.audit_entries").length);
  });

  test("every case is there, and comes to the end that it would have come to without an upgrade", async () => {
    await eventually(
      async () => {
        const found = await Promise.all(
          Object.keys(ends).map(async (orderId) => {
            const [newest] = await agency.listCases(`orderId=${orderId}`);
            return [orderId, newest?.state] as const;
          }),
        );
        const wanted = Object.entries(ends).map(([orderId, { state }]) => [orderId, state]);
        expect(found).toEqual(wanted);
      },
      { timeoutMs: 50_000, everyMs: 250 },
    );

    for (const row of fixture.rowsOf("skedchange.cases")) {
      expect(await agency.get(`/api/v1/cases/${row["id"]}`)).toMatchObject({ orderId: row["order_id"] });
    }
    // What is snoozed or can be undone waits for ten seconds, and an unknown outcome for as long.
  }, 60_000);

  test("no effect is repeated", async () => {
    for (const [orderId, { accepts, successes }] of Object.entries(ends)) {
      await expectCalls(orderId, { accepts, cancels: 0, successes });
    }
  });

  describe("what waits for its time", () => {
    const timeOf = (orderId: string): number => {
      const row = fixture.rowsOf("skedchange.cases").find((each) => each["order_id"] === orderId);
      return Date.parse(String(row?.["due_at"]));
    };

    test("a snoozed case is not looked at before", async () => {
      expect((await newestCase("UPGSNOOZEDLONG")).dueAt).toBe(new Date(timeOf("UPGSNOOZEDLONG")).toISOString());
      expect(calls("AirReservationStatus", "UPGSNOOZEDLONG")).toEqual([]);
      const [firstLook] = calls("AirReservationStatus", "UPGSNOOZEDSHORT");
      expect(firstLook?.at).toBeGreaterThanOrEqual(timeOf("UPGSNOOZEDSHORT"));
    });

    test("an effect that can be undone is not sent before, and a person can still stop it", async () => {
      const [accept] = calls("AirOrderInvoluntaryAccept", "UPGUNDOSHORT");
      expect(accept?.at).toBeGreaterThanOrEqual(timeOf("UPGUNDOSHORT"));
      expect((await newestCase("UPGUNDOLONG")).dueAt).toBe(new Date(timeOf("UPGUNDOLONG")).toISOString());

      expect(await act("ana", "UPGUNDOLONG", { action: "stop" })).toBe(202);
      await agency.caseIn("UPGUNDOLONG", ["awaiting-agent"]);
      await expectCalls("UPGUNDOLONG", { accepts: 0, cancels: 0, successes: 0 });
    });
  });

  describe("what waits for people", () => {
    test("a cancel still waits for a second person, and is sent once when one agrees", async () => {
      const { approval } = await newestCase("UPGAPPROVAL");
      expect(approval).toMatchObject({ action: "cancel", askedBy: "person:ana" });
      const approve = { action: "approve", approvalId: approval?.id };

      expect(await act("ana", "UPGAPPROVAL", approve)).toBe(422);
      expect(await act("bruno", "UPGAPPROVAL", approve)).toBe(202);
      await agency.caseIn("UPGAPPROVAL", ["done"]);
      await expectCalls("UPGAPPROVAL", { accepts: 0, cancels: 1, successes: 1 });
    });

    test("a cancel of which nobody knows what became of it is settled by a person, and not sent again", async () => {
      expect(await act("bruno", "UPGASKED", { action: "refute-effect" })).toBe(202);
      await agency.caseIn("UPGASKED", ["awaiting-agent"]);
      await expectCalls("UPGASKED", { accepts: 0, cancels: 0, successes: 0 });
    });

    test("a case that is open can be accepted", async () => {
      expect(await act("ana", "UPGOPEN", { action: "accept" })).toBe(202);
      await agency.caseIn("UPGOPEN", ["done"]);
      await expectCalls("UPGOPEN", { accepts: 1, cancels: 0, successes: 1 });
    });

    test("tasks are still to be done", async () => {
      const { items } = (await agency.get("/api/v1/tasks?limit=200")) as {
        items: { id: string; closedAt: string | null }[];
      };
      const before = fixture.rowsOf("skedchange.tasks");
      expect(before.length).toBeGreaterThan(0);
      for (const row of before) expect(items.find(({ id }) => id === row["id"])).toMatchObject({ closedAt: null });
    });

    test("what is in quarantine is shown with its bytes, and can be tried again", async () => {
      const { items } = (await agency.get("/api/v1/notifications?state=quarantined")) as { items: { id: string }[] };
      expect(items).toHaveLength(2);
      const bodies = [];
      for (const { id } of items) {
        const headers = { authorization: `Bearer ${fixture.people.bruno.token}` };
        const url = `${server.agencyUrl}/api/v1/notifications/${id}`;
        bodies.push(await (await fetch(`${url}/body`, { headers })).text());
        const reevaluation = await fetch(`${url}/replay`, { method: "POST", headers });
        // Whether this version can read it or not, it says so.
        expect([202, 422]).toContain(reevaluation.status);
      }
      expect(bodies.toSorted()).toEqual(['{"AirOrderChangeNotif', '{"AirOrderChangeNotif":{"Order":[]}}']);
    });

    test("people sign in with their passwords", async () => {
      for (const [username, { password }] of Object.entries(fixture.people)) {
        const response = await fetch(`${server.agencyUrl}/api/v1/session`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username, password }),
        });
        expect({ username, status: response.status }).toEqual({ username, status: 200 });
      }
    });
  });

  describe("the policies", () => {
    test("are in force as before, the active and the shadow one", async () => {
      const { sources } = (await agency.get("/api/v1/policies")) as { sources: object[] };
      const { active, shadow } = fixture.policies;
      expect(sources).toEqual([
        expect.objectContaining({
          source: "default",
          active: expect.objectContaining({ version: active }),
          shadow: expect.objectContaining({ version: shadow }),
        }),
      ]);
    });

    test("decide about a change that comes after the upgrade", async () => {
      const response = await fetch(`${server.gatewayUrl}/control/orders/UPGDONE/changes`, {
        method: "POST",
        headers: { authorization: `Bearer ${fixture.tokens.control}`, "content-type": "application/json" },
        body: JSON.stringify({ kind: "retime", departureMinutes: 5 }),
      });
      expect(response.status).toBe(201);
      await eventually(async () => expect(await agency.listCases("orderId=UPGDONE")).toHaveLength(2));
      await agency.caseIn("UPGDONE", ["done"]);
      await expectCalls("UPGDONE", { accepts: 1, cancels: 0, successes: 2 });
      const { id: caseId } = await newestCase("UPGDONE");
      const { items } = (await agency.get("/api/v1/policies/shadow-differences")) as { items: object[] };
      expect(items).toContainEqual(expect.objectContaining({ caseId }));
    });
  });

  describe("the agency's own events", () => {
    const idOf = ({ headers }: ReceivedPost): string => String(headers["webhook-id"]);
    const eventOf = ({ body }: ReceivedPost): string => (JSON.parse(body.toString("utf8")) as { id: string }).id;

    test("that were not delivered are delivered, under the id that they had", async () => {
      const deliveries = fixture.rowsOf("skedchange.event_deliveries");
      const pending = deliveries.filter(({ state }) => state === "pending").map(({ id }) => id);
      const tried = new Set(fixture.rowsOf("skedchange.event_attempts").map((attempt) => attempt["delivery_id"]));
      expect(pending.some((id) => tried.has(id))).toBe(true);
      await eventually(() => expect(eventRecipient.posts.map(idOf)).toEqual(expect.arrayContaining<unknown>(pending)));

      const delivered = new Set(deliveries.filter(({ state }) => state === "delivered").map((each) => each["body_id"]));
      const waiting = fixture.rowsOf("skedchange.event_bodies").filter(({ id }) => !delivered.has(id));
      const ids = waiting.map(({ id }) => id);
      await eventually(() => expect(eventRecipient.posts.map(eventOf)).toEqual(expect.arrayContaining<unknown>(ids)));
    });

    test("are delivered once, and signed as before", () => {
      const ids = eventRecipient.posts.map(idOf);
      expect(new Set(ids).size).toBe(ids.length);
      for (const post of eventRecipient.posts) expect(isSignedBy(fixture.signingSecret, post)).toBe(true);
      const delivered = fixture.rowsOf("skedchange.event_deliveries").filter(({ state }) => state === "delivered");
      expect(ids).not.toContain(delivered[0]!["id"]);
    });
  });

  describe("in the end", () => {
    test("nothing is wrong with the tables", async () => {
      expect(await agency.get("/api/v1/reconciliation")).toMatchObject({
        withoutCase: { count: 0 },
        withoutProgress: { count: 0 },
        damage: [],
      });
    });

    test("the audit goes on from where it was, and nothing before it has changed", async () => {
      const { head } = auditBefore;
      await eventually(async () => {
        const verdict = await verifyAudit(db.database, { known: head });
        expect(verdict).toMatchObject({ broken: null, eventsGone: 0 });
        expect(verdict.head.block).toBeGreaterThan(head.block);
      });
    });
  });
});
