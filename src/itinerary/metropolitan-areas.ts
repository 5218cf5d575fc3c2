/**
 * Cities with several airports, by IATA metropolitan area code. Written by hand from the IATA Airline Coding Directory,
 * checked against the airport table; as of November 2026. Any other airport is its own city.
 */
const areas: Readonly<Record<string, string>> = {
  BER: "BER SXF TXL",
  BJS: "PEK PKX NAY",
  BKK: "BKK DMK",
  BRU: "BRU CRL",
  BUE: "EZE AEP",
  BUH: "OTP BBU",
  CHI: "ORD MDW RFD",
  CTU: "CTU TFU",
  DFW: "DFW DAL",
  DTT: "DTW DET YIP",
  DXB: "DXB DWC",
  GLA: "GLA PIK",
  HOU: "IAH HOU EFD",
  IST: "IST SAW ISL",
  IZM: "ADB IGL",
  JKT: "CGK HLP",
  KUL: "KUL SZB",
  LON: "LHR LGW STN LTN LCY SEN BQH",
  LAX: "LAX BUR LGB ONT SNA",
  MEL: "MEL AVV MEB",
  MEX: "MEX NLU TLC",
  MIA: "MIA FLL PBI",
  MIL: "MXP LIN BGY",
  MOW: "SVO DME VKO ZIA",
  NBO: "NBO WIL",
  NGO: "NGO NKM",
  NYC: "JFK LGA EWR SWF HPN ISP",
  OSA: "KIX ITM UKB",
  OSL: "OSL TRF RYG",
  PAR: "CDG ORY BVA LBG",
  RIO: "GIG SDU",
  ROM: "FCO CIA",
  SAO: "GRU CGH VCP",
  SEL: "ICN GMP",
  SFO: "SFO OAK SJC",
  SHA: "PVG SHA",
  SPK: "CTS OKD",
  STO: "ARN BMA NYO VST",
  TCI: "TFN TFS",
  THR: "IKA THR",
  TPE: "TPE TSA",
  TYO: "HND NRT",
  WAS: "IAD DCA BWI",
  WAW: "WAW WMI RDO",
  YEA: "YEG YXD",
  YMQ: "YUL YHU YMX",
  YTO: "YYZ YTZ YHM YKF",
};

const areaByAirport: ReadonlyMap<string, string> = new Map(
  Object.entries(areas).flatMap(([area, airports]) => airports.split(" ").map((airport) => [airport, area] as const)),
);

export function cityOf(airport: string): string {
  return areaByAirport.get(airport) ?? airport;
}
