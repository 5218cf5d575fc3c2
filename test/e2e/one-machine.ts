import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { upcoming } from "../builders/upcoming.ts";
import { type AgencyApi, type ListedCase, openAgencyApi } from "../harness/agency-api.ts";
import { eventually } from "../harness/eventually.ts";
import { freePort } from "../harness/free-port.ts";
import { type PackedPackage, packCommit, packProject } from "../harness/pack-package.ts";
import { readSections, readSteps } from "../harness/page-steps.ts";
import { openPageTerminals } from "../harness/page-terminals.ts";
import { findPostgresPrograms, startEmptyPostgres } from "../harness/postgres-programs.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { makeTestFolder } from "../harness/test-folder.ts";
import { startUnits } from "./stand-in-units.ts";

/** What is packed of a version: the work tree (`.`), a tarball that `npm pack` made, or a commit. */
export type Version = string;

/** What was seen, in the order of the page. */
export interface Followed {
  readonly versions: readonly [string, string];
  /** From the first command to the first decision about a change that was pushed. */
  readonly secondsToDecision: number;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readSections(readFileSync(join(root, "docs/one-machine.md"), "utf8"), 2);
const gatewayTokens = { access: "the-token-of-your-gateway", apiKey: "the-key-of-your-gateway", control: "control" };

/** The policy accepts it. */
const small = { kind: "retime", departureMinutes: 10 };
/** The policy leaves it to a person. */
const large = { kind: "retime", departureMinutes: 300 };

/**
 * Follows docs/one-machine.md word for word, from nothing to a restored backup, and checks that no case is lost and nothing
 * is sent twice. What a test must not touch is somewhere else: folders and ports are below a test folder and free ones, the
 * user is `nobody`, or nobody else without root. There is no systemd: see `startUnits`.
 */
export async function followOneMachine(
  from: Version,
  to: Version,
  report: (line: string) => void = () => {},
): Promise<Followed> {
  const machine = await prepareMachine(from, to);
  const { gateway, follow, api } = machine;
  try {
    const startedAt = performance.now();
    report(`Installing ${machine.versions[0]}`);
    await follow("What is needed");
    await follow("Installing");
    await gateway.addRecipient();
    await gateway.change("FIRST1", small);
    const first = await api().caseIn("FIRST1", ["done"], 60_000);
    assert.equal(first.decision?.action, "accept");
    const secondsToDecision = (performance.now() - startedAt) / 1_000;
    report(`From nothing to a decided push in ${secondsToDecision.toFixed(0)} s`);
    await gateway.change("OPEN01", large);
    const open = await api().caseIn("OPEN01", ["awaiting-agent"]);

    report(`Upgrading to ${machine.versions[1]}`);
    await follow("Upgrading");
    assert.deepEqual(await decisionsOf(api()), decisionsIn([first, open]));
    await gateway.change("SECOND", small);
    const second = await api().caseIn("SECOND", ["done"]);

    report("Backing up");
    await follow("Backups");
    const backedUpAt = new Date().toISOString();
    await gateway.change("OPEN02", large);
    await gateway.change("LATER1", small);
    await api().caseIn("LATER1", ["done"]);
    await api().caseIn("OPEN02", ["awaiting-agent"]);
    const sent = await gateway.effects();
    assert.deepEqual(sent, { FIRST1: 1, SECOND: 1, LATER1: 1 });

    report("Restoring");
    await follow("Restoring", async () => await gateway.sendAgain(backedUpAt));
    await eventually(
      async () =>
        assert.deepEqual(await decisionsOf(api()), {
          ...decisionsIn([first, open, second]),
          LATER1: "resolved-elsewhere, none",
          OPEN02: "awaiting-agent, review",
        }),
      { timeoutMs: 60_000, everyMs: 250 },
    );
    assert.deepEqual(await gateway.effects(), sent);

    report(`Rolling back to ${machine.versions[0]}`);
    await follow("Rolling back");
    await machine.untilReady();
    await gateway.change("OLDEST", small);
    await api().caseIn("OLDEST", ["done"]);
    assert.deepEqual(await gateway.effects(), { ...sent, OLDEST: 1 });
    return { versions: machine.versions, secondsToDecision };
  } catch (error) {
    report(machine.lastLogs());
    throw error;
  } finally {
    await machine.close();
  }
}

async function decisionsOf(api: AgencyApi): Promise<Record<string, string>> {
  return decisionsIn(await api.listCases());
}

/** Of the newest case of each order, which comes first in a list. */
function decisionsIn(cases: readonly ListedCase[]): Record<string, string> {
  return Object.fromEntries(
    cases.toReversed().map(({ orderId, state, decision }) => [orderId, `${state}, ${decision?.action}`]),
  );
}

/** The folder of the test machine with both packages, an empty PostgreSQL, and a gateway elsewhere. */
async function prepareMachine(from: Version, to: Version) {
  const programs = findPostgresPrograms();
  if (programs === null) throw new Error("There is no PostgreSQL with pg_dump. Debian: apt-get install postgresql.");
  const folder = await makeTestFolder();
  const [packages, postgres, gateway] = await Promise.all([
    packBoth(from, to, folder),
    startEmptyPostgres(programs, { passwords: true }),
    startGateway(folder),
  ]);
  const [agencyPort, opsPort] = [await freePort(), await freePort()];
  const isRoot = process.geteuid?.() === 0;
  const replacements: readonly [RegExp, string][] = [
    [/\/(?=opt\/skedchange|etc\/skedchange|etc\/systemd|usr\/local\/sbin|var\/backups)/g, `${folder}/`],
    [/(?<=[:=])3000\b/g, String(agencyPort)],
    [/(?<=[:=])9464\b/g, String(opsPort)],
    [/(?<=127\.0\.0\.1:)5432\b/g, postgres.port],
    [/https:\/\/gateway\.example\/air/g, gateway.url],
    [/\/usr\/bin\/node\b/g, process.execPath],
    [/(?<=-u |-g |^User=)skedchange\b/gm, isRoot ? "nobody" : "skedchange"],
    [/(?<=-g )nobody\b/g, "nogroup"],
  ];
  const adapt = (text: string): string =>
    replacements
      .reduce((adapted, [what, by]) => adapted.replaceAll(what, by), text)
      .replaceAll(/\b0\.[45]\.0\b/g, (version) => packages[version === "0.4.0" ? 0 : 1].label);
  const units = await startUnits(join(folder, "etc/systemd/system"), postgres.environment);
  for (const part of ["bin", "etc/systemd/system", "usr/local/sbin", "var/backups"]) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  writeStandIns(join(folder, "bin"), units.url, isRoot);
  const path = [join(folder, "bin"), join(folder, "usr/local/sbin"), postgres.environment["PATH"]].join(":");
  const terminals = openPageTerminals({
    folder,
    environment: {
      ...postgres.environment,
      ...networkSettings(),
      PATH: path,
      HOME: process.env["HOME"] ?? folder,
      npm_config_prefer_offline: "true",
    },
    stopAtFailure: true,
  });
  const settings = (): Record<string, string> =>
    Object.fromEntries(
      [...readFileSync(join(folder, "etc/skedchange/skedchange.env"), "utf8").matchAll(/^(\w+)='?(.*?)'?$/gm)].map(
        ([, name, value]) => [name!, value!],
      ),
    );

  return {
    versions: [packages[0].label, packages[1].label] as const,
    /** Types the blocks of a section. @param beforeLast what somebody else does before the last one. */
    async follow(section: string, beforeLast: () => Promise<void> = async () => {}): Promise<void> {
      const steps = readSteps(page.get(section) ?? "");
      assert.notEqual(steps.length, 0, `docs/one-machine.md has no commands below "${section}"`);
      for (const [index, { commands, seen }] of steps.entries()) {
        if (index === steps.length - 1) await beforeLast();
        let printed = "";
        for (const part of commands.split(/(?<=^npm install .*\n)/m)) {
          const output = await terminals.type(adapt(part), 240_000);
          printed += output();
          // What was just installed has the paths of a real machine.
          adaptDeployed(join(folder, "opt/skedchange"), adapt);
        }
        for (const text of seen) assert.ok(printed.includes(text), `${text}: ${printed}`);
      }
    },
    api: () => openAgencyApi(`http://127.0.0.1:${agencyPort}`, settings()["API_TOKEN"]!),
    untilReady: () =>
      eventually(async () => assert.ok((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).ok), {
        timeoutMs: 60_000,
        everyMs: 100,
      }),
    gateway: {
      ...gateway,
      addRecipient: () =>
        gateway.control("POST", "/recipients", {
          name: "This agency",
          url: `http://127.0.0.1:${agencyPort}/ocn`,
          authorization: {
            type: "basic",
            username: settings()["OCN_BASIC_USERNAME"],
            password: settings()["OCN_BASIC_PASSWORD"],
          },
        }),
    },
    lastLogs: () => units.logs().split("\n").slice(-40).join("\n"),
    async close() {
      await terminals.close();
      await units.close();
      await Promise.all([gateway.close(), postgres.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** How this machine reaches the registry. */
function networkSettings(): Record<string, string> {
  const names = /^(NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_(cache|registry))$/i;
  const found = Object.entries(process.env).filter(([name]) => names.test(name));
  return Object.fromEntries(found) as Record<string, string>;
}

interface LabelledPackage {
  /** Its version; the second of two that are the same has another one. */
  readonly label: string;
}

/** Two tarballs in the folder, named as on the page. */
async function packBoth(from: Version, to: Version, folder: string): Promise<[LabelledPackage, LabelledPackage]> {
  const places = [join(folder, "from"), join(folder, "to")] as const;
  for (const place of places) mkdirSync(place);
  const [first, second] = await Promise.all([packVersion(from, places[0]), packVersion(to, places[1])]);
  const labels = [
    first.version,
    first.version === second.version ? `${second.version}-again` : second.version,
  ] as const;
  for (const [index, { filename }] of [first, second].entries()) {
    copyFileSync(join(places[index]!, filename), join(folder, `skedchange-${labels[index]}.tgz`));
  }
  return [{ label: labels[0] }, { label: labels[1] }];
}

async function packVersion(
  version: Version,
  destination: string,
): Promise<Pick<PackedPackage, "filename" | "version">> {
  if (version === ".") return await packProject(destination);
  if (!version.endsWith(".tgz")) return await packCommit(version, destination);
  copyFileSync(version, join(destination, "package.tgz"));
  const name = /([^/]+)\.tgz$/.exec(version)?.[1] ?? version;
  return { filename: "package.tgz", version: name.replace(/^skedchange-/, "") };
}

/** What was unpacked has the paths, ports and users of a real machine. */
function adaptDeployed(installed: string, adapt: (text: string) => string): void {
  if (!existsSync(installed)) return;
  for (const version of readdirSync(installed, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const units = join(installed, version.name, "node_modules/skedchange/deploy/systemd");
    for (const name of readdirSync(units)) {
      const text = readFileSync(join(units, name), "utf8");
      if (!text.includes(installed)) writeFileSync(join(units, name), adapt(text));
    }
  }
}

/** Programs of a real machine that a test must not run, or cannot without root. */
function writeStandIns(folder: string, unitsUrl: string, isRoot: boolean): void {
  const standIns: Record<string, string> = {
    "apt-get": "true",
    adduser: "true",
    systemctl: `curl -fsS --data "$*" ${unitsUrl}`,
  };
  if (!isRoot) {
    standIns["runuser"] = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';
    standIns["install"] = `
      for word; do shift; case $word in -o|-g) skip=1;; *) [ "\${skip-}" ] || set -- "$@" "$word"; skip=;; esac; done
      exec /usr/bin/install "$@"`;
  }
  for (const [name, commands] of Object.entries(standIns)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${commands}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}

/** A gateway with the orders of this test, which another operator runs. */
async function startGateway(folder: string) {
  const server: ServerProcess = await startServerProcess({
    ROLES: "gateway,sender",
    DATA_DIR: join(folder, "gateway"),
    DEMO: "0",
    GATEWAY_ACCESS_TOKEN: gatewayTokens.access,
    GATEWAY_API_KEY: gatewayTokens.apiKey,
    GATEWAY_CONTROL_TOKEN: gatewayTokens.control,
    RECIPIENT_ALLOW_HTTP: "1",
    RECIPIENT_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
  const url = server.gatewayUrl!;
  const control = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${url}/control${path}`, {
      method,
      headers: { authorization: `Bearer ${gatewayTokens.control}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  };
  return {
    url,
    control,
    async change(orderId: string, change: object): Promise<void> {
      const date = upcoming("2027-03-14");
      const times = { departure: `${date}T07:10`, arrival: `${date}T11:20` };
      const flights = [{ from: "LIS", to: "FRA", carrier: "LH", flightNumber: "1167", ...times }];
      await control("POST", "/orders", { orderId, gdsBookingReferences: [orderId], flights });
      await control("POST", `/orders/${orderId}/changes`, { changes: [change] });
    },
    /** How many accepts and cancels took effect, by order. */
    async effects(): Promise<Record<string, number>> {
      const { items } = await control<{ items: { orderId: string; operation: string; result: string }[] }>(
        "GET",
        "/journal?limit=500",
      );
      const counts: Record<string, number> = {};
      for (const { orderId, operation, result } of items) {
        if (!operation.startsWith("AirOrderInvoluntary") || result !== "SUCCESS") continue;
        counts[orderId] = (counts[orderId] ?? 0) + 1;
      }
      return counts;
    },
    /** Delivers again what was delivered since. */
    async sendAgain(since: string): Promise<void> {
      await control("POST", "/replays", { state: "delivered", since });
    },
    close: () => server.end("SIGTERM"),
  };
}
