export interface SimulatedAirline {
  readonly code: string;
  /** Every flight starts or ends at one of these. */
  readonly hubs: readonly string[];
  /** Longest flight in miles. */
  readonly reach: number;
  /** Operates short routes; null if there is none. */
  readonly partner: string | null;
}

const intercontinental = 9000;
const continental = 2600;

/** Hubs and partners as of 2026, simplified. */
export const simulatedAirlines: readonly SimulatedAirline[] = [
  airline("A3", "ATH SKG", continental),
  airline("AA", "DFW CLT MIA PHL ORD JFK", intercontinental, "MQ"),
  airline("AC", "YYZ YUL YVR", intercontinental, "QK"),
  airline("AF", "CDG ORY", intercontinental, "A5"),
  airline("AI", "DEL BOM", intercontinental),
  airline("AM", "MEX", intercontinental),
  airline("AS", "SEA PDX", continental),
  airline("AT", "CMN", intercontinental),
  airline("AV", "BOG", intercontinental),
  airline("AY", "HEL", intercontinental),
  airline("AZ", "FCO LIN", intercontinental),
  airline("B6", "JFK BOS FLL", 3600),
  airline("BA", "LHR LGW", intercontinental),
  airline("CM", "PTY", 3600),
  airline("CX", "HKG", intercontinental),
  airline("CZ", "CAN PKX", intercontinental),
  airline("DL", "ATL DTW MSP JFK SEA", intercontinental, "OO"),
  airline("EI", "DUB", 5200),
  airline("EK", "DXB", intercontinental),
  airline("ET", "ADD", intercontinental),
  airline("EY", "AUH", intercontinental),
  airline("FI", "KEF", 4200),
  airline("GA", "CGK DPS", intercontinental),
  airline("IB", "MAD", intercontinental, "YW"),
  airline("JL", "HND NRT", intercontinental),
  airline("KE", "ICN", intercontinental),
  airline("KL", "AMS", intercontinental, "WA"),
  airline("KQ", "NBO", intercontinental),
  airline("LA", "SCL GRU LIM", intercontinental),
  airline("LH", "FRA MUC", intercontinental, "CL"),
  airline("LO", "WAW", intercontinental),
  airline("LX", "ZRH GVA", intercontinental),
  airline("LY", "TLV", intercontinental),
  airline("MH", "KUL", intercontinental),
  airline("MS", "CAI", intercontinental),
  airline("MU", "PVG SHA", intercontinental),
  airline("NH", "HND NRT", intercontinental),
  airline("NZ", "AKL", intercontinental),
  airline("OS", "VIE", intercontinental),
  airline("PR", "MNL", intercontinental),
  airline("QF", "SYD MEL PER", intercontinental),
  airline("QR", "DOH", intercontinental),
  airline("RJ", "AMM", intercontinental),
  airline("SA", "JNB CPT", intercontinental),
  airline("SK", "CPH OSL ARN", intercontinental),
  airline("SN", "BRU", intercontinental),
  airline("SQ", "SIN", intercontinental),
  airline("SV", "JED RUH", intercontinental),
  airline("TG", "BKK", intercontinental),
  airline("TK", "IST SAW", intercontinental),
  airline("TP", "LIS OPO", intercontinental, "NI"),
  airline("UA", "ORD EWR IAH DEN SFO IAD", intercontinental, "OO"),
  airline("VN", "SGN HAN", intercontinental),
  airline("VS", "LHR MAN", intercontinental),
  airline("VY", "BCN", continental),
];

function airline(code: string, hubs: string, reach: number, partner: string | null = null): SimulatedAirline {
  return { code, hubs: hubs.split(" "), reach, partner };
}
