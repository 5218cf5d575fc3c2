/** Countries (ISO 3166-1 alpha-2, as in the airport table) that a law treats as inside. */
const countriesOfTerritory = {
  /** The fifty states, the District of Columbia and the territories, as Delta publishes "domestic". */
  US: ["US", "PR", "VI", "GU", "AS", "MP", "UM"],
  /**
   * The Union with Åland and its outermost regions that have country codes (GP, MQ, GF, RE, YT, MF); and Iceland,
   * Norway, Liechtenstein and Switzerland, which are treated alike. Overseas countries and territories (BL, NC, PF,
   * GL…), the Faroes, Svalbard and Gibraltar are outside.
   */
  EU: [
    ...["AT", "BE", "BG", "HR", "CY", "CZ", "DK", "EE", "FI", "FR", "DE", "GR", "HU", "IE", "IT", "LV", "LT", "LU"],
    ...["MT", "NL", "PL", "PT", "RO", "SK", "SI", "ES", "SE"],
    ...["GP", "MQ", "GF", "RE", "YT", "MF", "AX"],
    ...["IS", "NO", "LI", "CH"],
  ],
  /** Without Jersey, Guernsey, the Isle of Man and Gibraltar, which have laws of their own. */
  UK: ["GB"],
  CA: ["CA"],
  BR: ["BR"],
  IN: ["IN"],
  TR: ["TR"],
} as const satisfies Record<string, readonly string[]>;

export type Territory = keyof typeof countriesOfTerritory;

export const territories = Object.keys(countriesOfTerritory) as readonly Territory[];

export function countriesIn(territory: Territory): readonly string[] {
  return countriesOfTerritory[territory];
}

export function isIn(territory: Territory, country: string): boolean {
  return countriesIn(territory).includes(country);
}
