import type { Configuration } from "../config/load-settings.ts";
import { type SettingName, settingDescriptions } from "../config/settings.ts";
import type { Examination, HealthFinding, Installation, SettingInForce } from "../dashboard/installation-ports.ts";
import { messageOf } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import { type HealthCheck, runChecks } from "../telemetry/health.ts";
import { redactText } from "../telemetry/redact.ts";
import { examineConfiguration } from "./doctor.ts";
import { type Finding, ok, problem } from "./finding.ts";
import { version } from "./version.ts";

/** How long one examination serves everybody who asks. */
const servesMs = 5_000;

export interface InstallationOptions {
  readonly configuration: Configuration;
  /** The checks of `/readyz`. */
  readonly checks: readonly HealthCheck[];
  readonly listProcesses: Installation["listProcesses"];
  readonly clock: Clock;
}

export function createInstallation(options: InstallationOptions): Installation {
  const { configuration, checks, listProcesses, clock } = options;
  let last: { readonly at: Date; readonly examination: Promise<Examination> } | null = null;
  const examine = async (at: Date): Promise<Examination> => {
    const [ready, findings] = await Promise.all([examineReadiness(checks), examineAll(configuration)]);
    return { at, findings: [ready, ...findings].map(toHealthFinding) };
  };
  return {
    version,
    demo: configuration.demo,
    roles: configuration.roles,
    settings: settingsInForce(configuration),
    examine() {
      const now = clock.now();
      if (last === null || now.getTime() - last.at.getTime() >= servesMs) last = { at: now, examination: examine(now) };
      return last.examination;
    },
    listProcesses,
  };
}

export function settingsInForce(configuration: Configuration): readonly SettingInForce[] {
  return settingDescriptions.map(({ name, group, description, secret: isSecret = false, default: usual = null }) => {
    const text = textOf(name, configuration);
    return {
      group,
      name,
      description,
      isSecret,
      isSet: text !== null,
      value: isSecret || text === null ? null : redactText(text),
      isDefault: text === usual,
    };
  });
}

/** As it is written in the environment; null if it is not set. */
function textOf(name: SettingName, { settings, roles }: Configuration): string | null {
  const value = settings[name];
  if (value === undefined) return null;
  switch (name) {
    case "ROLES":
      return roles.join(",");
    case "RESPONSE_TARGET_HOURS": {
      const targets = settings[name].map(({ priority, hours }) => `${priority}=${hours}`);
      return targets.length === 0 ? "none" : targets.join(" ");
    }
    case "TRUSTED_PROXIES":
      return settings[name]?.join(" ") || "none";
    case "OIDC_ROLES":
      return settings[name]?.map(({ role, value: of }) => `${role}=${of}`).join("; ") ?? null;
    case "OIDC_SOURCES":
      return settings[name]?.map(({ source, value: of }) => `${source ?? "*"}=${of}`).join("; ") ?? null;
    default:
      if (typeof value === "boolean") return value ? "1" : "0";
      return Array.isArray(value) ? value.join(" ") : String(value);
  }
}

async function examineReadiness(checks: readonly HealthCheck[]): Promise<Finding> {
  const subject = "this process";
  const results = await runChecks(checks);
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length === 0) return ok(subject, "Ready for work.");
  const problems = failed.map(({ name, problem }) => `${name}: ${problem?.message ?? ""}`).join(" ");
  return failed.some(({ isNeeded }) => isNeeded)
    ? problem(subject, `Not ready. ${problems}`, {
        advice: "It takes no work until they respond, and then goes on by itself.",
      })
    : problem(subject, `Ready, but cases wait. ${problems}`, {
        advice: "Notifications are acknowledged and people can decide; the cases go on by themselves once it responds.",
      });
}

async function examineAll(configuration: Configuration): Promise<readonly Finding[]> {
  try {
    return await examineConfiguration(configuration);
  } catch (error) {
    const advice = "Run `npx skedchange doctor` with the settings of this process.";
    return [problem("settings", redactText(messageOf(error)), { advice })];
  }
}

function toHealthFinding({ subject, state, detail, lastAt, advice }: Finding): HealthFinding {
  return { subject, state, detail, lastAt: lastAt ?? null, advice: advice ?? null };
}
