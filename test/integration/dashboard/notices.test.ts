import { afterAll, beforeAll, expect, test } from "vitest";
import type { Notices } from "../../../src/dashboard/notice-ports.ts";
import { createDemoInbox } from "../../../src/notices/demo-inbox.ts";
import { createAddressGuard } from "../../../src/sender/address-guard.ts";
import { createNoticeRuleStore } from "../../../src/store/notices/notice-rules.ts";
import { createTestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let server: PeopleServer;
let cookie: string;
const tested: string[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const clock = { now: () => new Date("2026-11-25T13:00:00Z") };
  const inbox = createDemoInbox(clock);
  const text = { subject: "1 case needs action", reason: "r", cases: [], more: null, queueUrl: null };
  await inbox.send({ type: "email", addresses: ["desk@agency.example"] }, text, "key");
  const notices: Notices = {
    rules: createNoticeRuleStore(database.database, clock),
    sendTest: async (id) => {
      tested.push(id);
      return { problem: { code: "notices.webhook_failed", message: "Slack responded with 404." } };
    },
    demoInbox: inbox.list,
    refuseUrl: createAddressGuard({ allowHttp: false, allowedNetworks: [] }).refuse,
  };
  server = await startPeopleServer({ database, notices });
  ({ cookie } = await server.signedIn("boss", "admin"));
});
afterAll(() => server.close());

interface Sent {
  readonly status: number;
  readonly body: {
    readonly rule: { readonly id: string };
    readonly items: readonly object[];
    readonly problem: { readonly message: string };
    readonly code: string;
    readonly problems: readonly object[];
  };
}

const send = async (method: string, path: string, body?: object): Promise<Sent> =>
  await server.send(method, path, { cookie, ...(body === undefined ? {} : { body }) });
const slack = { type: "slack", webhookUrl: "https://hooks.slack.example/services/very-secret" };
const notice = { name: "Desk", when: { type: "at-once" }, destination: slack };

test("an admin adds, changes, tests, pauses and removes a notice, and nobody sees the webhook's URL", async () => {
  const added = await send("POST", "/notice-rules", notice);
  expect(added.status).toBe(201);
  const { id } = added.body.rule;
  expect(added.body.rule).toEqual({
    id,
    name: "Desk",
    queues: null,
    sources: null,
    priorityMax: 9,
    when: { type: "at-once" },
    timeZone: "UTC",
    channel: "slack",
    to: ["hooks.slack.example"],
    paused: false,
    lastSentAt: null,
    failing: null,
  });
  const digest = { type: "digest", times: ["08:00", "13:30"], weekdays: [1, 5] };
  const changed = await send("PATCH", `/notice-rules/${id}`, { when: digest, timeZone: "Europe/Lisbon", paused: true });
  expect(changed.body.rule).toMatchObject({ name: "Desk", when: digest, timeZone: "Europe/Lisbon", paused: true });
  expect((await send("POST", `/notice-rules/${id}/test`)).body.problem.message).toBe("Slack responded with 404.");
  expect(tested).toEqual([id]);
  const listed = await send("GET", "/notice-rules");
  expect(listed.body.items).toEqual([changed.body.rule]);
  expect(JSON.stringify([added.body, listed.body, server.log])).not.toContain("very-secret");
  expect((await send("DELETE", `/notice-rules/${id}`)).status).toBe(204);
  expect((await send("DELETE", `/notice-rules/${id}`)).body.code).toBe("api.notice_not_found");
});

test.each([
  [
    "a private address",
    { destination: { type: "teams", webhookUrl: "https://169.254.169.254/x" } },
    "api.notice_refused",
  ],
  [
    "a URL without https",
    { destination: { type: "teams", webhookUrl: "http://chat.example/x" } },
    "api.notice_refused",
  ],
  ["an unknown source", { sources: ["atlantis"] }, "api.notice_refused"],
  ["an unknown time zone", { timeZone: "Europe/Atlantis" }, "api.body_invalid"],
  ["a digest without a time", { when: { type: "digest", times: [], weekdays: [1] } }, "api.body_invalid"],
  [
    "an address with a line break",
    { destination: { type: "email", addresses: ["a@b.example\nBcc: c@d.example"] } },
    "api.body_invalid",
  ],
])("a notice with %s is refused", async (_what, wrong, code) => {
  const refused = await send("POST", "/notice-rules", { ...notice, ...wrong });
  expect([refused.status, refused.body.code]).toEqual([422, code]);
  expect(refused.body.problems).toHaveLength(1);
});

test("the demo inbox shows what was caught", async () => {
  expect((await send("GET", "/demo-inbox")).body.items).toEqual([
    expect.objectContaining({ channel: "email", to: "desk@agency.example", subject: "1 case needs action" }),
  ]);
});
