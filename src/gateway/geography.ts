import { airportOf, type Position } from "../travel/airports.ts";
import names from "./supply/simulated/airport-names.json" with { type: "json" };

export interface Airport extends Position {
  readonly code: string;
  readonly name: string;
  /** IANA zone. */
  readonly timeZone: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Others use their code as their name. */
const airports: ReadonlyMap<string, Airport> = new Map(
  names.rows.map((row) => {
    const code = row.slice(0, 3);
    const { zone, country, position } = airportOf(code)!;
    return [code, { code, name: row.slice(4), timeZone: zone, country, ...position! }];
  }),
);

/** In alphabetical order. */
export const airportCodes: readonly string[] = [...airports.keys()];

/** The accounting code is the first three digits of ticket numbers. */
export interface Airline {
  readonly name: string;
  readonly accountingCode: string;
}

const airlines: Readonly<Record<string, Airline>> = {
  A3: { name: "Aegean Airlines", accountingCode: "390" },
  A5: { name: "HOP!", accountingCode: "163" },
  AA: { name: "American Airlines", accountingCode: "001" },
  AC: { name: "Air Canada", accountingCode: "014" },
  AF: { name: "Air France", accountingCode: "057" },
  AI: { name: "Air India", accountingCode: "098" },
  AM: { name: "Aeromexico", accountingCode: "139" },
  AS: { name: "Alaska Airlines", accountingCode: "027" },
  AT: { name: "Royal Air Maroc", accountingCode: "147" },
  AV: { name: "Avianca", accountingCode: "134" },
  AY: { name: "Finnair", accountingCode: "105" },
  AZ: { name: "ITA Airways", accountingCode: "055" },
  B6: { name: "JetBlue Airways", accountingCode: "279" },
  BA: { name: "British Airways", accountingCode: "125" },
  CL: { name: "Lufthansa CityLine", accountingCode: "683" },
  CM: { name: "Copa Airlines", accountingCode: "230" },
  CX: { name: "Cathay Pacific", accountingCode: "160" },
  CZ: { name: "China Southern Airlines", accountingCode: "784" },
  DL: { name: "Delta Air Lines", accountingCode: "006" },
  EI: { name: "Aer Lingus", accountingCode: "053" },
  EK: { name: "Emirates", accountingCode: "176" },
  ET: { name: "Ethiopian Airlines", accountingCode: "071" },
  EY: { name: "Etihad Airways", accountingCode: "607" },
  FI: { name: "Icelandair", accountingCode: "108" },
  GA: { name: "Garuda Indonesia", accountingCode: "126" },
  IB: { name: "Iberia", accountingCode: "075" },
  JL: { name: "Japan Airlines", accountingCode: "131" },
  KE: { name: "Korean Air", accountingCode: "180" },
  KL: { name: "KLM", accountingCode: "074" },
  KQ: { name: "Kenya Airways", accountingCode: "706" },
  LA: { name: "LATAM Airlines", accountingCode: "045" },
  LH: { name: "Lufthansa", accountingCode: "220" },
  LO: { name: "LOT Polish Airlines", accountingCode: "080" },
  LX: { name: "Swiss", accountingCode: "724" },
  LY: { name: "El Al", accountingCode: "114" },
  MH: { name: "Malaysia Airlines", accountingCode: "232" },
  MQ: { name: "Envoy Air", accountingCode: "093" },
  MS: { name: "EgyptAir", accountingCode: "077" },
  MU: { name: "China Eastern Airlines", accountingCode: "781" },
  NH: { name: "All Nippon Airways", accountingCode: "205" },
  NI: { name: "Portugalia", accountingCode: "685" },
  NZ: { name: "Air New Zealand", accountingCode: "086" },
  OO: { name: "SkyWest Airlines", accountingCode: "302" },
  OS: { name: "Austrian Airlines", accountingCode: "257" },
  PR: { name: "Philippine Airlines", accountingCode: "079" },
  QF: { name: "Qantas", accountingCode: "081" },
  QK: { name: "Jazz Aviation", accountingCode: "983" },
  QR: { name: "Qatar Airways", accountingCode: "157" },
  RJ: { name: "Royal Jordanian", accountingCode: "512" },
  SA: { name: "South African Airways", accountingCode: "083" },
  SK: { name: "Scandinavian Airlines", accountingCode: "117" },
  SN: { name: "Brussels Airlines", accountingCode: "082" },
  SQ: { name: "Singapore Airlines", accountingCode: "618" },
  SV: { name: "Saudia", accountingCode: "065" },
  TG: { name: "Thai Airways", accountingCode: "217" },
  TK: { name: "Turkish Airlines", accountingCode: "235" },
  TP: { name: "TAP Air Portugal", accountingCode: "047" },
  UA: { name: "United Airlines", accountingCode: "016" },
  VN: { name: "Vietnam Airlines", accountingCode: "738" },
  VS: { name: "Virgin Atlantic", accountingCode: "932" },
  VY: { name: "Vueling", accountingCode: "030" },
  WA: { name: "KLM Cityhopper", accountingCode: "074" },
  YW: { name: "Air Nostrum", accountingCode: "694" },
};

export function findAirport(code: string): Airport | null {
  return airports.get(code) ?? null;
}

/** An unknown airline has its designator as its name, and an accounting code that no airline has. */
export function findAirline(code: string): Airline {
  return (Object.hasOwn(airlines, code) ? airlines[code] : undefined) ?? { name: code, accountingCode: "999" };
}
