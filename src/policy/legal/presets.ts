import { digestOfValue } from "../../kernel/digest.ts";
import { clockCatalogue } from "./clock-catalogue.ts";
import type { LegalPreset } from "./preset.ts";
import { brAnac400 } from "./presets/br-anac-400.ts";
import { caAppr } from "./presets/ca-appr.ts";
import { eu261 } from "./presets/eu-261.ts";
import { eu2612026 } from "./presets/eu-261-2026.ts";
import { inDgca } from "./presets/in-dgca.ts";
import { trShyYolcu } from "./presets/tr-shy-yolcu.ts";
import { uk261 } from "./presets/uk-261.ts";
import { usDot260 } from "./presets/us-dot-260.ts";
import { countriesIn } from "./territories.ts";

/** Every preset that is shipped, those that are on by default first. */
export const legalPresets: readonly LegalPreset[] = [
  usDot260,
  eu261,
  uk261,
  caAppr,
  brAnac400,
  inDgca,
  trShyYolcu,
  eu2612026,
];

/** Which text of a preset is in use. Stored with decisions so that they can be replayed. */
export interface LegalPresetVersion {
  readonly id: string;
  /** SHA-256 (hex) of the preset with its clocks and territories. */
  readonly version: string;
  readonly asOf: string;
  readonly reviewBy: string;
}

export const legalPresetVersions: readonly LegalPresetVersion[] = legalPresets.map((preset) => ({
  id: preset.id,
  version: digestOfValue({ preset, clocks: clocksOf(preset), territories: territoriesOf(preset) }),
  asOf: preset.asOf,
  reviewBy: preset.reviewBy,
}));

/** The presets that are asked: as shipped, unless the agency switched one. */
export function selectedPresets(switches: Readonly<Record<string, boolean>>): readonly LegalPreset[] {
  return legalPresets.filter(({ id, onByDefault }) => (Object.hasOwn(switches, id) ? switches[id] : onByDefault));
}

function clocksOf({ triggers }: LegalPreset) {
  const names = new Set(triggers.flatMap(({ clocks }) => clocks ?? []));
  return [...names].map((name) => ({ name, ...clockCatalogue[name] }));
}

function territoriesOf(preset: LegalPreset) {
  const clauses = preset.scope.map((clause) => ("unsettled" in clause ? clause.unsettled : clause));
  const named = clauses.flatMap((clause) => Object.values(clause).flat());
  return [...new Set(named)].map((territory) => ({ territory, countries: countriesIn(territory) }));
}
