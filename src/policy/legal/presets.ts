import { digestOfValue } from "../../kernel/digest.ts";
import type { LegalPreset } from "./preset.ts";
import data from "./presets.json" with { type: "json" };
import { countriesIn, territories } from "./territories.ts";

/** Every shipped preset, those on by default first: `presets/*.yaml`, as checked by `npm run generate`. */
export const legalPresets = data as readonly unknown[] as readonly LegalPreset[];

/** The version of a preset's text, stored with decisions so that they can be reevaluated. */
export interface LegalPresetVersion {
  readonly id: string;
  /** SHA-256 (hex) of the preset's content with its territories. */
  readonly version: string;
  readonly asOf: string;
  readonly reviewBy: string;
}

export const legalPresetVersions: readonly LegalPresetVersion[] = legalPresets.map((preset) => ({
  id: preset.id,
  version: digestOfValue({ preset, territories: territoriesOf(preset) }),
  asOf: preset.asOf,
  reviewBy: preset.reviewBy,
}));

/** Returns the enabled presets: as shipped, unless the agency switched one. */
export function selectedPresets(switches: Readonly<Record<string, boolean>>): readonly LegalPreset[] {
  return legalPresets.filter(({ id, onByDefault }) => (Object.hasOwn(switches, id) ? switches[id] : onByDefault));
}

function territoriesOf({ scope }: LegalPreset) {
  const named = new Set(textsIn(scope));
  return territories
    .filter((territory) => named.has(territory))
    .map((territory) => ({ territory, countries: countriesIn(territory) }));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
