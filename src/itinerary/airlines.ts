/**
 * ICAO designators of airlines with their IATA codes, written by hand and limited to airlines that gateways sell; as of
 * November 2026.
 */
const iataCodes: ReadonlyMap<string, string> = new Map(
  [
    ...["AAL AA", "AAR OZ", "ACA AC", "AEA UX", "AEE A3", "AFL SU", "AFR AF", "AIC AI", "AMX AM", "ANA NH", "ANZ NZ"],
    ...["ASA AS", "AUA OS", "AUI PS", "AVA AV", "AZU AD", "BAW BA", "BEE BE", "BEL SN", "BTI BT", "CAL CI", "CCA CA"],
    ...["CES MU", "CFG DE", "CLH CL", "CLX CV", "CPA CX", "CSN CZ", "CTN OU", "CSA OK", "DAL DL", "DLH LH", "DLA EN"],
    ...["EIN EI", "ELY LY", "ETD EY", "ETH ET", "EVA BR", "EWG EW", "EZY U2", "FIN AY", "GFA GF", "GIA GA"],
    ...["GLO G3", "HAL HA", "IBE IB", "ICE FI", "IGO 6E", "ITY AZ", "JAL JL", "JBU B6", "KAC KU", "KAL KE", "KLM KL"],
    ...["KQA KQ", "LAN LA", "LOT LO", "LGL LG", "MAS MH", "MEA ME", "MSR MS", "NAX DY", "NOZ DY", "OMA WY", "PAL PR"],
    ...["PGT PC", "QFA QF", "QTR QR", "RAM AT", "RJA RJ", "ROT RO", "RYR FR", "SAA SA", "SAS SK", "SIA SQ", "SVA SV"],
    ...["SWA WN", "SWR LX", "TAM JJ", "TAP TP", "TAR TU", "THA TG", "THY TK", "TOM BY", "TRA HV", "TVS QS", "UAE EK"],
    ...["UAL UA", "UZB HY", "VIR VS", "VLG VY", "VOE V7", "VOI Y4", "WJA WS", "WZZ W6", "FDB FZ", "CMP CM", "LNI JT"],
  ].map((row) => row.split(" ") as [string, string]),
);

/** The IATA code of an airline, or what was stated if it is none of the known ICAO designators. */
export function airlineCodeOf(stated: string): string {
  return iataCodes.get(stated) ?? stated;
}

/** Railways sell trains under flight numbers: Deutsche Bahn, SNCF, Eurostar, AccesRail, Amtrak, VIA Rail. */
const railways: ReadonlySet<string> = new Set(["2A", "2C", "9F", "9B", "2V", "2R"]);

export function isRailway(airline: string | null): boolean {
  return airline !== null && railways.has(airline);
}
