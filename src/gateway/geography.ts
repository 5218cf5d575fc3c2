/** An airport as the simulated airlines know it. */
export interface Airport {
  readonly name: string;
  /** IANA zone: only durations are computed with it. */
  readonly timeZone: string;
}

/** The airports of the demonstration and of the samples. Others are served with their code as their name. */
const airports: Readonly<Record<string, Airport>> = {
  AMS: { name: "Schiphol", timeZone: "Europe/Amsterdam" },
  ATH: { name: "Eleftherios Venizelos", timeZone: "Europe/Athens" },
  BCN: { name: "El Prat", timeZone: "Europe/Madrid" },
  BKK: { name: "Suvarnabhumi", timeZone: "Asia/Bangkok" },
  BOM: { name: "Chhatrapati Shivaji", timeZone: "Asia/Kolkata" },
  BOS: { name: "Logan Intl", timeZone: "America/New_York" },
  BRU: { name: "Brussels Airport", timeZone: "Europe/Brussels" },
  CDG: { name: "Charles De Gaulle", timeZone: "Europe/Paris" },
  CPH: { name: "Kastrup", timeZone: "Europe/Copenhagen" },
  DEL: { name: "Indira Gandhi Intl", timeZone: "Asia/Kolkata" },
  DFW: { name: "Dallas Fort Worth Intl", timeZone: "America/Chicago" },
  DUB: { name: "Dublin Airport", timeZone: "Europe/Dublin" },
  DXB: { name: "Dubai Intl", timeZone: "Asia/Dubai" },
  EWR: { name: "Newark Liberty Intl", timeZone: "America/New_York" },
  FCO: { name: "Fiumicino", timeZone: "Europe/Rome" },
  FRA: { name: "Frankfurt Intl", timeZone: "Europe/Berlin" },
  GRU: { name: "Guarulhos Intl", timeZone: "America/Sao_Paulo" },
  GVA: { name: "Geneve Cointrin", timeZone: "Europe/Zurich" },
  HKG: { name: "Hong Kong Intl", timeZone: "Asia/Hong_Kong" },
  HND: { name: "Haneda", timeZone: "Asia/Tokyo" },
  IST: { name: "Istanbul Airport", timeZone: "Europe/Istanbul" },
  JFK: { name: "John F Kennedy Intl", timeZone: "America/New_York" },
  LAX: { name: "Los Angeles Intl", timeZone: "America/Los_Angeles" },
  LGW: { name: "Gatwick", timeZone: "Europe/London" },
  LHR: { name: "Heathrow", timeZone: "Europe/London" },
  LIS: { name: "Humberto Delgado", timeZone: "Europe/Lisbon" },
  MAD: { name: "Barajas", timeZone: "Europe/Madrid" },
  MIA: { name: "Miami Intl", timeZone: "America/New_York" },
  MUC: { name: "Franz Josef Strauss", timeZone: "Europe/Berlin" },
  NRT: { name: "Narita Intl", timeZone: "Asia/Tokyo" },
  OPO: { name: "Francisco Sa Carneiro", timeZone: "Europe/Lisbon" },
  ORD: { name: "O Hare Intl", timeZone: "America/Chicago" },
  ORY: { name: "Orly", timeZone: "Europe/Paris" },
  OSL: { name: "Gardermoen", timeZone: "Europe/Oslo" },
  SFO: { name: "San Francisco Intl", timeZone: "America/Los_Angeles" },
  SIN: { name: "Changi", timeZone: "Asia/Singapore" },
  SYD: { name: "Kingsford Smith", timeZone: "Australia/Sydney" },
  TLV: { name: "Ben Gurion", timeZone: "Asia/Jerusalem" },
  VIE: { name: "Schwechat", timeZone: "Europe/Vienna" },
  YYZ: { name: "Pearson Intl", timeZone: "America/Toronto" },
  ZRH: { name: "Zurich Airport", timeZone: "Europe/Zurich" },
};

/** Name and accounting code (the first three digits of ticket numbers) of an airline. */
export interface Airline {
  readonly name: string;
  readonly accountingCode: string;
}

const airlines: Readonly<Record<string, Airline>> = {
  AA: { name: "American Airlines", accountingCode: "001" },
  AC: { name: "Air Canada", accountingCode: "014" },
  AF: { name: "Air France", accountingCode: "057" },
  AI: { name: "Air India", accountingCode: "098" },
  BA: { name: "British Airways", accountingCode: "125" },
  DL: { name: "Delta Air Lines", accountingCode: "006" },
  EK: { name: "Emirates", accountingCode: "176" },
  IB: { name: "Iberia", accountingCode: "075" },
  KL: { name: "KLM", accountingCode: "074" },
  LH: { name: "Lufthansa", accountingCode: "220" },
  LX: { name: "Swiss", accountingCode: "724" },
  SQ: { name: "Singapore Airlines", accountingCode: "618" },
  TK: { name: "Turkish Airlines", accountingCode: "235" },
  TP: { name: "TAP Air Portugal", accountingCode: "047" },
  UA: { name: "United Airlines", accountingCode: "016" },
};

export function findAirport(code: string): Airport | null {
  return Object.hasOwn(airports, code) ? (airports[code] ?? null) : null;
}

/** The airline with that designator; one that is not known goes by its designator and a number no airline has. */
export function findAirline(code: string): Airline {
  return (Object.hasOwn(airlines, code) ? airlines[code] : undefined) ?? { name: code, accountingCode: "999" };
}
