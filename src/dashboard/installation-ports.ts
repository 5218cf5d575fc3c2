/** What runs, with which settings, and how it is. */
export interface Installation {
  readonly version: string;
  readonly demo: boolean;
  /** Of the process that is asked. */
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

export interface SettingInForce {
  readonly group: string;
  readonly name: string;
  readonly description: string;
  readonly isSecret: boolean;
  readonly isSet: boolean;
  /** As it is written in the environment; null for a secret, and if it is not set. */
  readonly value: string | null;
  readonly isDefault: boolean;
}

export interface Examination {
  readonly at: Date;
  readonly findings: readonly HealthFinding[];
}

export const healthStates = ["ok", "warning", "problem", "off"] as const;

/** Contains no credentials. */
export interface HealthFinding {
  readonly subject: string;
  readonly state: (typeof healthStates)[number];
  readonly detail: string;
  readonly lastAt: Date | null;
  readonly advice: string | null;
}
