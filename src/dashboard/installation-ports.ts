import { z } from "zod";
import type { Stored } from "../kernel/stored.ts";

/** What runs, with which settings, and how it is. */
export interface Installation {
  readonly version: string;
  readonly demo: boolean;
  /** The roles of the process that is asked. */
  readonly roles: readonly string[];
  readonly settings: readonly SettingInForce[];
  /** Takes some seconds at worst, because it connects to what the settings name. Never rejects. */
  examine(): Promise<Examination>;
  /** All that run, on any machine, longest running first. */
  listProcesses(): Promise<readonly RunningProcess[]>;
}

export interface RunningProcess {
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
  /** The address of who named a client last without being in `TRUSTED_PROXIES`. */
  readonly untrustedProxy: string | null;
}

export interface Examination {
  readonly at: Date;
  readonly findings: readonly HealthFinding[];
}

const settingInForce = z.strictObject({
  group: z.string(),
  name: z.string(),
  description: z.string(),
  isSecret: z.boolean(),
  isSet: z.boolean(),
  value: z.string().nullable().meta({ description: "As in the environment. Null for a secret, and if it is not set." }),
  isDefault: z.boolean(),
});

export type SettingInForce = Stored<typeof settingInForce>;

export const settingList = z
  .strictObject({
    version: z.string(),
    demo: z.boolean(),
    roles: z.array(z.string()).meta({ description: "Of the process that responds." }),
    items: z.array(settingInForce),
  })
  .meta({ id: "SettingsInForce" });

const healthFinding = z.strictObject({
  subject: z.string(),
  state: z
    .enum(["ok", "warning", "problem", "off"])
    .meta({ description: "off: not used or not running, and not required." }),
  detail: z.string(),
  lastAt: z.iso.datetime().nullable().meta({ description: "When what `detail` is about happened last." }),
  advice: z.string().nullable().meta({ description: "What to do." }),
});

/** Contains no credentials. */
export type HealthFinding = Stored<typeof healthFinding>;

export const examination = z
  .strictObject({ at: z.iso.datetime(), items: z.array(healthFinding) })
  .meta({ id: "Examination" });

export const processList = z
  .strictObject({
    items: z.array(z.strictObject({ roles: z.array(z.string()), version: z.string(), startedAt: z.iso.datetime() })),
  })
  .meta({ id: "ProcessList" });
