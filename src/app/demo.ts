import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { formatTable } from "../cli/table.ts";
import { demoCredentials, demoUsers } from "../config/demo-credentials.ts";
import type { CaseItem } from "../dashboard/case-ports.ts";
import type { NoticeRuleStore } from "../dashboard/notice-ports.ts";
import { demoScenario } from "../gateway/demo-scenario.ts";
import { playScenario } from "../gateway/play-scenario.ts";
import { assertNever } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { Secret } from "../kernel/secret.ts";
import type { Destination } from "../notices/ports.ts";
import type { RecipientAuthorization, RecipientStore } from "../sender/ports.ts";
import type { DemoHandles, RunningServer } from "./start-server.ts";

const recipientName = "This agency (demo)";

/** The demo's cases settle long before this; the table then also shows open ones. */
const settleMs = 30_000;
const lookEveryMs = 100;

const sampleFile = fileURLToPath(new URL("../../samples/ocn-minor-delay.json", import.meta.url));

/** For output to a file. */
const defaultColumns = 140;

/** Only shows the orders if an earlier demo has created them. */
export async function runDemo(server: RunningServer, print: (line: string) => void): Promise<void> {
  const { demo, agencyUrl } = server;
  if (demo === null) return;
  for (const line of introduceDemo(server)) print(line);

  await configureRecipient(demo.recipients, `${agencyUrl}/ocn`, authorizationOf(demo.authentication, agencyUrl));
  await addNotices(demo.notices);
  const scenario = demoScenario(systemClock.now());
  const played = await playScenario(demo.actions, scenario);
  demo.kick();
  print(
    played.changes.length > 0
      ? `\n${played.changes.length} airline changes are on their way: sender → receiver → queue → worker → gateway …`
      : `\nThe demo has run on this data before. To begin anew, stop it and delete the data (${server.place}).`,
  );

  const orderIds = scenario.orders.map((order) => order.orderId);
  const items = await waitUntilSettled(demo.listCases, orderIds);
  print("");
  for (const line of tableOf(items, orderIds)) print(line);
  print("");
  for (const line of whatNext(agencyUrl, items)) print(line);
}

function introduceDemo({ agencyUrl, gatewayUrl }: RunningServer): readonly string[] {
  return [
    "",
    "Demo credentials (everybody knows them; demo mode listens on loopback only):",
    `  push target   POST ${agencyUrl}/ocn`,
    `                Basic   ${demoCredentials.basicUsername} / ${demoCredentials.basicPassword}`,
    `                Bearer  ${demoCredentials.bearerToken}`,
    `                OAuth   ${demoCredentials.oauthClientId} / ${demoCredentials.oauthClientSecret}  at  ${agencyUrl}/oauth/token`,
    `  API           ${agencyUrl}/api/v1/cases  with  Bearer ${demoCredentials.apiToken}`,
    `  dashboard     ${agencyUrl}/  with one of`,
    ...demoUsers.map(({ username, password }) => `                ${username.padEnd(15)} / ${password}`),
    `  gateway       ${gatewayUrl}  with  Authorization: ${demoCredentials.gatewayAccessToken}  x-api-key: ${demoCredentials.gatewayApiKey}`,
    `  control       ${gatewayUrl}/control  with  Bearer ${demoCredentials.gatewayControlToken}`,
  ];
}

/** The port of this process may differ from last time. */
async function configureRecipient(
  recipients: RecipientStore,
  url: string,
  authorization: RecipientAuthorization,
): Promise<void> {
  const { items } = await recipients.listRecipients({ limit: 100, cursor: null });
  const known = items.find((recipient) => recipient.name === recipientName && recipient.state !== "removed");
  // All, so that the final table has each change.
  const rules = {
    ordering: "every",
    airlines: null,
    acknowledgement: "required",
    deadlineMs: null,
    lanesMax: null,
    ratePerSecond: null,
    agencyId: null,
    clientCertificate: null,
  } as const;
  if (known === undefined)
    await recipients.createRecipient({ ...rules, name: recipientName, url, authorization, signingSecrets: [] });
  else await recipients.changeRecipient(known.id, { url, authorization, state: { to: "active" } });
}

/** Their messages go to the demo inbox, so nobody is at these addresses. */
async function addNotices(notices: NoticeRuleStore): Promise<void> {
  if ((await notices.listRules()).length > 0) return;
  const rule = { queues: null, sources: null, priorityMax: 9, timeZone: "UTC" };
  const desk: Destination = { type: "email", addresses: ["desk@agency.example"] };
  const channel: Destination = { type: "slack", webhookUrl: new Secret("https://hooks.slack.example/demo") };
  await notices.addRule({ ...rule, name: "Desk", when: { type: "at-once" }, destination: desk }, { actor: "system" });
  const soon = { type: "before-deadline", minutes: 24 * 60 } as const;
  await notices.addRule({ ...rule, name: "Due within a day", when: soon, destination: channel }, { actor: "system" });
}

function authorizationOf(type: DemoHandles["authentication"], agencyUrl: string | null): RecipientAuthorization {
  switch (type) {
    case "basic": {
      const { basicUsername: username, basicPassword } = demoCredentials;
      return { type, username, password: new Secret(basicPassword) };
    }
    case "bearer":
      return { type, token: new Secret(demoCredentials.bearerToken) };
    case "oauth":
      return {
        type,
        tokenUrl: `${agencyUrl}/oauth/token`,
        clientId: demoCredentials.oauthClientId,
        clientSecret: new Secret(demoCredentials.oauthClientSecret),
        clientAuthentication: "basic",
        keyId: null,
        scope: null,
        audience: null,
      };
    default:
      return assertNever(type);
  }
}

async function waitUntilSettled(
  listCases: () => Promise<readonly CaseItem[]>,
  orderIds: readonly string[],
): Promise<readonly CaseItem[]> {
  const deadline = new Date(systemClock.now().getTime() + settleMs);
  for (;;) {
    const items = (await listCases()).filter((item) => orderIds.includes(item.orderId));
    // What is due after the deadline, as during a window to undo, does not change before it.
    const settled = items.filter(({ decision, dueAt }) => decision !== null && (dueAt === null || dueAt > deadline));
    const isComplete = new Set(settled.map((item) => item.orderId)).size === orderIds.length;
    if (isComplete || systemClock.now() > deadline) return items;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function tableOf(items: readonly CaseItem[], orderIds: readonly string[]): readonly string[] {
  const rows = orderIds.map((orderId) => {
    const item = items.find((candidate) => candidate.orderId === orderId);
    if (item === undefined) return [orderId, "not received yet", "", ""];
    return [
      orderId,
      item.headline ?? "",
      item.decision === null ? item.state : `${item.decision.action} (${item.state})`,
      item.decision?.reasons[0]?.text ?? "",
    ];
  });
  return formatTable(
    [
      { title: "ORDER" },
      { title: "WHAT CHANGED", flexible: true },
      { title: "DECISION" },
      { title: "WHY", flexible: true },
    ],
    rows,
    { width: Math.max(process.stderr.columns ?? defaultColumns, 80), wrap: true },
  );
}

function whatNext(agencyUrl: string | null, items: readonly CaseItem[]): readonly string[] {
  const waiting = items.find((item) => item.state === "awaiting-agent");
  return [
    `See it all in the dashboard: ${agencyUrl}/  (sign in with one click as a demo user)`,
    ...(waiting === undefined
      ? []
      : [
          `Decide one yourself, in another terminal: npx skedchange case ${waiting.id}`,
          "                                          … --accept, --cancel --yes or --close",
        ]),
    `Send a notification of your own: npx skedchange send-ocn ${relative(process.cwd(), sampleFile)}`,
    `See what people are told by e-mail and chat, after some seconds: ${agencyUrl}/demo/inbox`,
    "Stop with Ctrl-C. The data stays; the next start goes on from it.",
  ];
}
