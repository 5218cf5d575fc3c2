import { Resolver } from "node:dns/promises";
import { existsSync, readFileSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { type Configuration, loadSettings } from "../config/load-settings.ts";
import { describeUnknownSettings } from "../config/unknown-settings.ts";
import { findWeaknesses } from "../config/weak-settings.ts";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { systemClock } from "../kernel/clock.ts";
import { counted } from "../kernel/counted.ts";
import { describeRedisPlace, readRedisUrl } from "../kernel/redis-url.ts";
import { domainOf, type SmtpOptions, tryMailServer } from "../notices/smtp.ts";
import { formatPolicyProblem, loadPolicy } from "../policy/load-policy.ts";
import { createRedisQueueBackend } from "../queue/redis-backend.ts";
import { queueMayEvict } from "../queue/redis-connections.ts";
import { definitionOf, type Way } from "../receiver/ways.ts";
import { type Database, openDatabase } from "../store/database/database.ts";
import { storeErrors } from "../store/database/error-codes.ts";
import { assertSchemaIsCurrent } from "../store/database/migrator.ts";
import { isLackingRight } from "../store/database/sql-states.ts";
import { clusterIn, fallbackFolder } from "../store/embedded-postgres/data-folder.ts";
import { isServerOf, readPostmasterFile } from "../store/embedded-postgres/postmaster.ts";
import { createPeopleStore } from "../store/people.ts";
import { silentLogger } from "../telemetry/logger.ts";
import { redactText } from "../telemetry/redact.ts";
import { activeTimeZones, shippedTimeZones } from "../travel/zones.ts";
import { examineMailDomain, type ResolveTxt } from "./examine-mail-domain.ts";
import { examineWork } from "./examine-work.ts";
import { readFetchFailure } from "./fetch-failure.ts";
import { addUserAdvice, demoDataWarning, type Finding, off, ok, problem, warning } from "./finding.ts";
import { smtpOf } from "./notice-runtime.ts";
import { comparePeriods, type RetentionSettings } from "./stored-periods.ts";
import { describeTimeZones, refreshTimeZones } from "./time-zones.ts";

/** Enough for a distant gateway, short enough for a terminal. */
const reachTimeoutMs = 5_000;

/** Changes and starts nothing. Stops at invalid settings. */
export async function examine(
  environment: NodeJS.ProcessEnv,
  send: typeof fetch = fetch,
  resolveTxt: ResolveTxt = lookUpTxt,
): Promise<Finding[]> {
  const loaded = loadSettings(environment, (path) => readFileSync(path, "utf8"));
  if (!loaded.ok) {
    return loaded.problems.map((found) => problem("settings", found));
  }
  const unknown = describeUnknownSettings(environment).map((detail) => warning("settings", detail));
  const [[mode, ...others], mail] = await Promise.all([
    examineConfiguration(loaded.configuration, send),
    examineMail(loaded.configuration, resolveTxt),
  ]);
  return [mode!, ...unknown, ...others, ...mail];
}

/** Examines a process that runs, or would run, with this configuration. */
export async function examineConfiguration(
  configuration: Configuration,
  send: typeof fetch = fetch,
): Promise<Finding[]> {
  const parts = await Promise.all([
    examineDatabase(configuration),
    examineSources(configuration, send),
    examineServer(configuration, send),
    examineIdentityProvider(configuration, send),
  ]);
  return [examineMode(configuration), ...examineStrength(configuration), ...parts.flat(), examineTimeZones()];
}

/** Those of the database, once it was reached. */
function examineTimeZones(): Finding {
  const timeZones = activeTimeZones();
  const origin = timeZones.version === shippedTimeZones.version ? "as this version brings it" : "as it was loaded";
  return ok("time zones", `${describeTimeZones(timeZones, systemClock.now())}, ${origin}: ${timeZones.version}.`);
}

function examineStrength({ demo, settings, sources }: Configuration): Finding[] {
  if (demo) return [];
  return findWeaknesses(settings, sources).map(({ text }) => warning("settings", text));
}

function examineMode({ demo, roles }: Configuration): Finding {
  return demo
    ? warning("settings", "Demo mode: credentials that everybody knows, invented orders, every role in one process.", {
        advice: "To work for real, give credentials, a gateway and a database: see .env.example.",
      })
    : ok("settings", `Runs ${roles.join(", ")}.`);
}

// --------------------------------------------------------------------------------------------------- database

async function examineDatabase(configuration: Configuration): Promise<Finding[]> {
  const { settings } = configuration;
  const { DATABASE_URL: url, QUEUE_URL: queueUrl } = settings;
  const inDatabase = ok("queue", "BullMQ in the same PostgreSQL.");
  const queue = queueUrl === undefined ? inDatabase : await examineRedis(queueUrl);
  if (url === undefined) return [...(await examineEmbedded(resolve(settings.DATA_DIR), configuration)), queue];
  const database = await examineSchema(url, configuration);
  return database[0]?.state === "ok" || queue !== inDatabase ? [...database, queue] : database;
}

async function examineRedis(url: string): Promise<Finding> {
  const subject = "queue";
  const reading = readRedisUrl(url);
  const place = reading.ok ? describeRedisPlace(reading.place) : "Redis";
  const warnings: string[] = [];
  const queues = createRedisQueueBackend({
    url,
    applicationName: "skedchange doctor",
    onError: (error) => {
      if (codeOf(error) === queueMayEvict) warnings.push(messageOf(error));
    },
  });
  try {
    await queues.ping();
    return warnings.length === 0
      ? ok(subject, `BullMQ on ${place}, which can be reached.`)
      : warning(subject, warnings.join(" "));
  } catch (error) {
    const { cause } = error as Error;
    return problem(subject, `${place} cannot be used: ${redactText(messageOf(cause ?? error))}.`, {
      advice: "Check QUEUE_URL, that Redis 6.2 or newer runs there, and its certificate and user when it has them.",
    });
  } finally {
    await queues.close();
  }
}

async function examineSchema(url: string, { demo, settings, sources }: Configuration): Promise<Finding[]> {
  const subject = "database";
  if (!URL.canParse(url)) {
    return [
      problem(subject, "DATABASE_URL is no URL.", {
        advice: "Write it as postgres://user:password@host:5432/database; encode special characters of the password.",
      }),
    ];
  }
  const database = openDatabase({
    url,
    applicationName: "skedchange doctor",
    maxConnections: 1,
    onError: () => {},
  });
  let isCurrent = false;
  try {
    await assertSchemaIsCurrent(database);
    isCurrent = true;
    const { rows } = await database.pool.query<{ readonly isReadOnly: boolean; readonly version: string }>(
      `select current_setting('transaction_read_only') = 'on' as "isReadOnly",
         split_part(current_setting('server_version'), ' ', 1) as version`,
    );
    const { isReadOnly, version } = rows[0]!;
    if (isReadOnly) {
      return [
        problem(subject, `${placeOf(url)} can be read only, so nothing can be received or decided.`, {
          advice:
            "Name the primary, not a standby. After a recovery to a point in time, end the pause: pg_wal_replay_resume().",
        }),
      ];
    }
    const people = createPeopleStore(database);
    const hasUsers = await people.hasUsers();
    const hasDemoData = !demo && (await people.hasDemoUsers());
    const reached = ok(
      subject,
      `${placeOf(url)}, version ${version}, can be reached and its schema is current.`,
      hasUsers ? {} : { advice: `Nobody can sign in to the dashboard yet. Add somebody: ${addUserAdvice}` },
    );
    const demoData: readonly Finding[] = hasDemoData
      ? [warning("database", demoDataWarning.detail, { advice: demoDataWarning.advice })]
      : [];
    await refreshTimeZones(database, silentLogger);
    return [
      reached,
      ...demoData,
      ...(await examineRetention(database, settings)),
      ...(await examineWork(database, sources, systemClock)),
    ];
  } catch (error) {
    if (isCurrent && isLackingRight(error)) {
      const detail = `${placeOf(url)} can be reached and its schema is current. The login has the rights of one role only, so what waits was not looked at.`;
      return [
        off(subject, detail, { advice: "Run `skedchange doctor` once more with the login that all roles share." }),
      ];
    }
    return [
      codeOf(error).startsWith("store.")
        ? describeSchemaProblem(error)
        : problem(
            subject,
            `${placeOf(url)} cannot be used: ${redactText(messageOf(error)) || codeOf(error)} (${codeOf(error)}).`,
            {
              advice:
                "Check DATABASE_URL, that PostgreSQL runs there, that this role may connect, and that a pooler on the way, such as PgBouncer, is in session mode.",
            },
          ),
    ];
  } finally {
    await database.close();
  }
}

async function examineRetention(database: Database, settings: RetentionSettings): Promise<Finding[]> {
  const difference = await comparePeriods(database, settings);
  return difference === null ? [] : [warning("retention", difference.detail, { advice: difference.advice })];
}

function describeSchemaProblem(error: unknown): Finding {
  const detail = messageOf(error);
  if (codeOf(error) !== storeErrors.schemaOlder) return problem("database", detail);
  return warning("database", detail, { advice: "`npx skedchange serve` does it too, when its role may." });
}

function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `PostgreSQL at ${searchParams.get("host") ?? host}${pathname}`;
}

async function examineEmbedded(dataDir: string, configuration: Configuration): Promise<Finding[]> {
  const binaries = examineBinaries();
  const folder = await examineFolder(dataDir);
  const cluster = [dataDir, fallbackFolder(dataDir)].map(clusterIn).find((candidate) => existsSync(candidate));
  if (cluster === undefined) {
    return [
      binaries,
      folder,
      off("database", "There is no data yet.", {
        advice: "`npx skedchange serve` makes an embedded PostgreSQL; DATABASE_URL names one of yours instead.",
      }),
    ];
  }
  return [binaries, folder, ...(await examineCluster(cluster, configuration))];
}

async function examineCluster(cluster: string, configuration: Configuration): Promise<Finding[]> {
  const subject = "database";
  try {
    const file = await readPostmasterFile(cluster);
    if (file === null || (await isServerOf(file.pid, cluster)) === "no") {
      return [off(subject, `The embedded PostgreSQL in ${cluster} is not running; a start runs it.`)];
    }
    // On Windows the server requires a password that only its starter may read.
    if (file.socketFolder === null) {
      return [ok(subject, `The embedded PostgreSQL runs as process ${file.pid}.`)];
    }
    return await examineSchema(
      `postgres://skedchange_app@localhost/skedchange?host=${encodeURIComponent(file.socketFolder)}&port=${file.port}&sslmode=disable`,
      configuration,
    );
  } catch (error) {
    return [
      problem(subject, `The data in ${cluster} cannot be examined: ${messageOf(error)}.`, {
        advice: "Run this as the user that starts Skedchange.",
      }),
    ];
  }
}

function examineBinaries(): Finding {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    createRequire(import.meta.url).resolve(name);
    return ok("postgres", `The embedded PostgreSQL for this machine is installed (${name}).`);
  } catch {
    return problem("postgres", `The embedded PostgreSQL is not installed: the package ${name} is missing.`, {
      advice: "Run `npm ci` without --omit=optional, or set DATABASE_URL.",
    });
  }
}

async function examineFolder(dataDir: string): Promise<Finding> {
  let existing = dataDir;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return ok("data", existing === dataDir ? `${dataDir} can be written.` : `${dataDir} can be made.`);
  } catch (error) {
    return problem("data", `${existing} cannot be written: ${codeOf(error)}.`, {
      advice: "Set DATA_DIR to a folder of your own, or give this user the right to write there.",
    });
  }
}

// ---------------------------------------------------------------------------------------------------- sources

async function examineSources(
  { demo, sources, settings, roles }: Configuration,
  send: typeof fetch,
): Promise<Finding[]> {
  const findings = sources.map(async (source): Promise<Finding[]> => {
    const { id, authentication, gateway, policyFile } = source;
    return [
      ...(roles.includes("receiver") ? [examineCredentials(id, authentication)] : []),
      ...(policyFile === null ? [] : [examinePolicyFile(id, policyFile)]),
      ...(gateway === null
        ? [off(`gateway ${id}`, "Not configured.")]
        : demo
          ? [ok(`gateway ${id}`, "The demo brings its own.")]
          : [await examineGateway(`gateway ${id}`, gateway.baseUrl, send)]),
    ];
  });
  const apiToken: Finding =
    settings.API_TOKEN === undefined
      ? off("api", "API_TOKEN is not set; only a process with the dashboard needs it.")
      : ok("api", demo ? "Takes the demo token." : "API_TOKEN is set.");
  return [...(await Promise.all(findings)).flat(), apiToken];
}

function examineCredentials(id: string, ways: readonly Way[]): Finding {
  const subject = `source ${id}`;
  return ways.length === 0
    ? warning(subject, "Has no credential, so nothing can be pushed to it.", {
        advice: "Set OCN_BASIC_USERNAME and OCN_BASIC_PASSWORD, or another way of docs/authentication.md.",
      })
    : ok(subject, `Takes notifications with ${ways.map((way) => definitionOf(way).describe(way)).join(" and ")}.`);
}

function examinePolicyFile(id: string, file: string): Finding {
  const subject = `policy ${id}`;
  try {
    const loaded = loadPolicy(readFileSync(file, "utf8"), file);
    if (!loaded.ok) {
      return problem(subject, loaded.problems.map(formatPolicyProblem).join("; "));
    }
    if (loaded.warnings.length > 0) {
      return warning(subject, loaded.warnings.map(formatPolicyProblem).join("; "));
    }
    return ok(subject, `${file}: '${loaded.policy.name}', ${counted(loaded.policy.rules.length, "rule")}.`);
  } catch (error) {
    return problem(subject, `${file} cannot be read: ${codeOf(error)}.`, {
      advice: "Check POLICY_FILE, or policy_file in SOURCES_FILE.",
    });
  }
}

/** Accepts any response: it proves address, network and certificate. Calls no operation. */
async function examineGateway(subject: string, baseUrl: string, send: typeof fetch): Promise<Finding> {
  const { origin } = new URL(baseUrl);
  try {
    const response = await send(baseUrl, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(reachTimeoutMs),
    });
    return ok(subject, `${origin} responds (${response.status}).`);
  } catch (error) {
    return problem(subject, `${origin} cannot be reached: ${reasonOf(error)}.`, {
      advice: "Check GATEWAY_BASE_URL, the network, and whether the gateway asks for a fixed address of yours.",
    });
  }
}

/** Reads what the provider says about itself, as the first sign-in does. */
async function examineIdentityProvider({ identityProvider }: Configuration, send: typeof fetch): Promise<Finding[]> {
  if (identityProvider === null) return [];
  const { issuer } = identityProvider;
  const subject = "sign-in";
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const advice = "Check OIDC_ISSUER, the network and the certificate. Until then only passwords work.";
  try {
    const response = await send(url, { redirect: "manual", signal: AbortSignal.timeout(reachTimeoutMs) });
    if (response.status !== 200) {
      return [problem(subject, `${url} responds ${response.status}.`, { advice })];
    }
    const found = (await response.json()) as { readonly issuer?: unknown };
    return found.issuer === issuer
      ? [ok(subject, `${issuer} can be reached; our client there was not tried.`)]
      : [
          problem(subject, `The provider names itself ${JSON.stringify(found.issuer)}, which is not OIDC_ISSUER.`, {
            advice: "Set OIDC_ISSUER to that name, if it is the provider that you mean.",
          }),
        ];
  } catch (error) {
    return [problem(subject, `${issuer} cannot be asked: ${reasonOf(error)}.`, { advice })];
  }
}

/** Signs in at the mail server, which the page of a process that runs does not: a mail server may not like it often. */
async function examineMail({ settings }: Configuration, resolveTxt: ResolveTxt): Promise<Finding[]> {
  const smtp = smtpOf(settings);
  if (smtp === null) return [];
  const domain = domainOf(smtp.from);
  const parts = await Promise.all([
    examineMailServer(smtp),
    domain === null ? [] : examineMailDomain(domain, settings.MAIL_DKIM_SELECTOR ?? null, resolveTxt),
  ]);
  return parts.flat();
}

/** Waits no longer for a name than for other servers. */
const lookUpTxt: ResolveTxt = async (name) =>
  await new Resolver({ timeout: reachTimeoutMs, tries: 1 }).resolveTxt(name);

async function examineMailServer(smtp: SmtpOptions): Promise<Finding[]> {
  const subject = "mail";
  const { host } = new URL(smtp.url.reveal());
  try {
    await tryMailServer(smtp);
    return [ok(subject, `The mail server at ${host} takes our credentials; nothing was sent.`)];
  } catch (error) {
    return [
      problem(subject, redactText(messageOf(error)), {
        advice: "Until then no notice goes out by e-mail; each is tried again.",
      }),
    ];
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = readFetchFailure(error);
  return code === "unexpected" || code === "timeout" ? message : code;
}

// ----------------------------------------------------------------------------------------------------- server

async function examineServer({ settings, roles }: Configuration, send: typeof fetch): Promise<Finding[]> {
  if (settings.PORT === 0 || !(roles.includes("receiver") || roles.includes("dashboard"))) return [];
  const host = ["0.0.0.0", "::"].includes(settings.HOST) ? "127.0.0.1" : settings.HOST;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${settings.PORT}`;
  const subject = "server";
  try {
    const response = await send(`${url}/readyz`, { redirect: "manual", signal: AbortSignal.timeout(reachTimeoutMs) });
    if (response.status === 200) return [ok(subject, `Runs and is ready at ${url}.`)];
    return response.status === 503
      ? [problem(subject, `Runs at ${url} but is not ready.`, { advice: `Open ${url}/readyz, which says why.` })]
      : [problem(subject, `Something else responds at ${url}.`, { advice: "Choose another PORT." })];
  } catch (error) {
    return reasonOf(error) === "ECONNREFUSED"
      ? [
          off(subject, `Does not run at ${url}.`, {
            advice: "Start it with the same settings: `npx skedchange serve`.",
          }),
        ]
      : [problem(subject, `${url} does not respond: ${reasonOf(error)}.`)];
  }
}
