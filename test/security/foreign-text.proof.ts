import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { examples } from "../../src/cli/examples.ts";
import { createProgram, leavesOf } from "../../src/cli/run-cli.ts";
import { demoCredentials } from "../../src/config/demo-credentials.ts";
import { createEncryptionKey } from "../../src/kernel/encryption-keys.ts";
import { type OrderViewBody, sampleNotification } from "../builders/sample-notification.ts";
import { type AgencyApi, openAgencyApi } from "../harness/agency-api.ts";
import { eventually } from "../harness/eventually.ts";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { type StatusGateway, startStatusGateway } from "../harness/status-gateway.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { runCaptured } from "../unit/cli/captured-terminal.ts";

// A server starts, and every command runs several times, in real time.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Controls of a terminal, a line of the attacker's own, characters that nobody sees, a link and a formula. */
const hostile =
  "X\u001b]52;c;eA==\u0007\u009b2J\u001b[31m\r\nFAKE LINE\u007f\u202e\u200b\u{e0041}\u2028 https://evil.example/a <b>;=1+1";

/** Of an order, all characters must be seen. The rest is as hostile. */
const orderIds = ["A;=1+1|@x evil.example", "B;=1+1", "C;=1+1", "D;=1+1"] as const;
const [free, all, codes, failing] = orderIds;

const apiToken = "a-good-token-of-the-api-0123456789";
const controlToken = "a-good-token-of-the-control-0123456789";
const password = "a password of the gateway";

let folder: string;
let server: ServerProcess;
let gateway: StatusGateway;
let mail: MailServer;
let agency: AgencyApi;
let environment: Record<string, string>;
const caseIds: string[] = [];

/** Without these the notification is about nothing, or about no flight. */
const isKey = /^(?:OrderID|GdsBookingReference|\w*Key|\w*Ref(?:erence)?s?|PassengerID)$/;
/** What decides whether a flight or a value can be read. */
const isReadable = /^(?:\d[\d :T.-]*|[A-Z]{1,3}|\d+ H \d+ M|[A-Z _]{4,}|[A-Z][a-z]+|true|false)$/;

/** A sample in which the texts that `choose` names are hostile. */
function hostileView(orderId: string, choose: (key: string, text: string) => string): OrderViewBody {
  const body = sampleNotification("misconnection", { orderId, reference: `REF${orderId[0]}01` });
  const poison = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return isKey.test(key) ? value : choose(key, value);
    if (Array.isArray(value)) return value.map((each) => poison(each, key));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poison(each, name)]));
  };
  return poison(body, "") as OrderViewBody;
}

const views: Readonly<Record<string, OrderViewBody>> = {
  [free]: hostileView(free, (_, text) => (isReadable.test(text) ? text : hostile)),
  [all]: hostileView(all, () => hostile),
  [codes]: hostileView(codes, (key, text) =>
    /^(?:AirlineID|AirportCode|FlightNumber|\w+Code)$/.test(key) ? `${text}${hostile}` : text,
  ),
  [failing]: hostileView(failing, (_, text) => text),
};

beforeAll(async () => {
  folder = await makeTestFolder();
  mail = await startMailServer({ offersTls: false });
  gateway = await startStatusGateway((orderId) =>
    orderId === failing
      ? ({
          OrderViewRS: { Errors: { Error: { Code: hostile, Value: hostile, Text: hostile } } },
        } as unknown as OrderViewBody)
      : (views[orderId] ?? null),
  );
  const settings = {
    DATA_DIR: join(folder, "data"),
    ENCRYPTION_KEYS: createEncryptionKey(new Date()),
    ROLES: "all",
    OCN_BASIC_USERNAME: "gateway",
    OCN_BASIC_PASSWORD: password,
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_ACCESS_TOKEN: "an-access-token-0123456789",
    GATEWAY_CONTROL_TOKEN: controlToken,
    API_TOKEN: apiToken,
    SMTP_URL: mail.url,
    SMTP_ALLOW_PLAINTEXT: "1",
    NOTICE_FROM: "Skedchange <notices@agency.example>",
    LOG_LEVEL: "debug",
  };
  server = await startServerProcess(settings);
  environment = {
    ...settings,
    PORT: new URL(server.agencyUrl).port,
    GATEWAY_PORT: new URL(server.gatewayUrl!).port,
  };
  agency = openAgencyApi(server.agencyUrl, apiToken);
  await post("/notice-rules", {
    name: "Desk",
    when: { type: "at-once" },
    destination: { type: "email", addresses: ["desk@agency.example"] },
  });
  for (const view of Object.values(views)) expect((await push(view)).status).toBe(200);
  for (const body of [{ Order: { OrderID: hostile } }, { [hostile]: { Order: {} } }, hostile]) await push(body);
  for (const orderId of [free, all, codes]) caseIds.push((await agency.caseIn(orderId, ["awaiting-agent"], 60_000)).id);
  await writeFile(join(folder, "hostile.json"), JSON.stringify(views[free]));
  await writeFile(join(folder, "codes.json"), JSON.stringify(views[codes]));
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await gateway?.goAway();
  await mail?.close();
  await rm(folder, { recursive: true, force: true });
});

async function push(body: unknown) {
  const authorization = `Basic ${Buffer.from(`gateway:${password}`).toString("base64")}`;
  return await agency.postOcn(typeof body === "string" ? body : JSON.stringify(body), authorization);
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${server.agencyUrl}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Those of our own styles are not of others. */
// eslint-disable-next-line no-control-regex -- these are what the styles are made of
const ownStyles = /\u001b\[(?:1|2|22|31|32|33|39)m/g;

/** Each line by itself. Tabs are between the cells of a pipe. */
function violationsIn(output: string): readonly string[] {
  return output
    .replaceAll(ownStyles, "")
    .split("\n")
    .filter((line) => /[^\P{C}\t]|[\u2028\u2029]/u.test(line) || line.startsWith("FAKE LINE"))
    .map((line) => JSON.stringify(line));
}

// First, because commands act on the cases.
test("a notice has no link but ours, and no control", async () => {
  const texts = () => mail.mails.map(({ raw }) => decode(raw));
  await eventually(() => expect(texts().join("\n")).toContain("evil[.]example"), { timeoutMs: 60_000 });

  for (const text of texts()) {
    expect(text).not.toContain("evil.example");
    expect(text.replaceAll("\r\n", "\n")).not.toMatch(/[^\P{C}\n\t]|[\u2028\u2029]/u);
  }
});

describe("a command shows foreign text on one line, without controls", () => {
  /** They run until they are ended. */
  const runsOn = new Set(["serve", "sandbox", "listen"]);
  const seen: string[] = [];

  /** As the example, about our orders, cases and files; and without anything that the command does not need. */
  function waysToRun(path: string, needsArguments: boolean): readonly (readonly string[])[] {
    const example = wordsOf(examples[path] ?? "");
    const about = (id: string, file: string) =>
      example.map((word) =>
        word
          .replace(/^019aa000-0000-7000-8000-000000000001$|^DEMO\w+$|^QX7R2M1A$/, id)
          .replace(/^samples\/\S+\.json$/, join(folder, file)),
      );
    return [
      ...(needsArguments ? [] : [path.split(" ")]),
      ...(path === "case" ? orderIds.map((orderId) => [path, orderId]) : []),
      ...[free, caseIds[2]!].flatMap((id) => [about(id, "hostile.json"), about(id, "codes.json")]),
    ];
  }

  test("which every command is, with and without --all and --json, in a pipe and on a screen", async () => {
    const program = await createProgram(undefined, await terminalOfNothing(), () => {});
    const found: string[] = [];
    for (const { path, command } of leavesOf(program)) {
      if (runsOn.has(path)) continue;
      const flags = ["--all", "--json"].filter((flag) => command.options.some(({ long }) => long === flag));
      const ways = waysToRun(
        path,
        command.registeredArguments.some(({ required }) => required),
      );
      const given = new Set(
        ways.flatMap((way) => ["", ...flags].map((flag) => JSON.stringify([...way, flag].filter(Boolean)))),
      );
      for (const args of given) {
        for (const columns of [undefined, 100]) {
          const run = await runCaptured(JSON.parse(args) as string[], {
            environment,
            demoCredentials,
            ...(columns === undefined ? {} : { columns }),
          });
          seen.push(run.stdout);
          for (const line of violationsIn(run.stdout + run.stderr)) found.push(`${args}: ${line}`);
        }
      }
    }

    expect(found).toEqual([]);
  });

  test("and the texts were there to be seen: cases, facts, quarantine, errors", () => {
    const shown = seen.join("\n");

    for (const orderId of orderIds) expect(shown).toContain(orderId);
    expect(shown).toContain("FAKE LINE");
    expect(shown).toContain("\\u001b]52;c;eA==\\u0007\\u009b2J");
  });
});

describe("an export", () => {
  test("of each list has no control and no formula, whatever separates its cells", async () => {
    const { paths } = (await agency.get("/openapi.json")) as { paths: Readonly<Record<string, object>> };
    const lists = Object.keys(paths).filter(
      (path) => path.endsWith(".csv") && !path.includes("{") && "get" in paths[path]!,
    );
    expect(lists.length).toBeGreaterThan(4);

    const texts = await Promise.all(lists.map(async (path) => (await agency.getText(path)).text));
    const audit = await runCaptured(["audit", "export", "--format", "csv"], { environment, demoCredentials });

    expect(texts.join("")).toContain("A;'=1+1|'@x evil.example");
    expect(audit.stdout).toContain("A;'=1+1|'@x evil.example");
    for (const text of [...texts, audit.stdout]) {
      expect(text.replace(/^\uFEFF/, "")).not.toMatch(/[^\P{C}\t\r\n]|[\u2028\u2029]/u);
      for (const cell of text.split(/[,;|\t\r\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+@＝＋－＠-](?!\d+(?:\.\d+)?$)/);
    }
  });
});

test("a line of the log is one line, without controls", () => {
  expect(server.output()).toContain(JSON.stringify(free).slice(1, -1));
  expect(violationsIn(server.output())).toEqual([]);
});

/** `npx skedchange case X --note 'Two words.'` without what stands before the command. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  return words.slice(words.indexOf("skedchange") + 1);
}

/** Quoted-printable, as mails are sent. */
function decode(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

async function terminalOfNothing() {
  const nothing = { write: () => true };
  return {
    environment: {},
    stdin: (async function* () {})(),
    stdout: nothing,
    stderr: nothing,
    fetch,
    demoCredentials,
    onInterrupt: () => () => {},
  };
}
