import type { Trade } from "./trade.ts";

export const containers: Trade = {
  name: "shipping containers",
  members: (draw) => ({
    order: {
      ContainerLoad: {
        ContainerNumber: draw.id("MSKU"),
        IsoSizeCode: draw.pick(["22G1", "42G1", "45R1"]),
        PortOfLoading: draw.pick(["PTLIS", "NLRTM", "DEHAM", "ESVLC"]),
        PortOfDischarge: draw.pick(["PTLIS", "NLRTM", "DEHAM", "ESVLC"]),
        SealOperator: draw.letters(4),
        TareWeight: { Value: draw.digits(4), Unit: "KGM" },
        StowagePosition: { Bay: draw.digits(2), Row: draw.digits(2), Tier: draw.pick(["82", "84", "86"]) },
        Reefer: draw.bool(),
        Stackable: draw.pick(["Y", "N"]),
        LoadedAt: draw.dateTime(),
        CargoHold: draw.pick(["FORE", "MID", "AFT"]),
      },
      BillOfLading: [
        { Number: draw.digits(9), Originals: draw.integer(4), Freight: draw.pick(["PREPAID", "COLLECT"]) },
      ],
      VoyageLegCount: draw.integer(5),
      DemurrageTariff: { Currency: "EUR", PerDay: draw.amount(), FreeDays: draw.integer(9) },
      TrackingLink: `https://track.example.com/c/${draw.digits(9)}`,
      Empty: "",
    },
    segment: { QuayBerth: `B${draw.digits(2)}`, Tide: draw.pick(["HIGH", "LOW", "SLACK"]) },
  }),
  stops: [
    () => ({ order: { ContainerLoad: { CustomsRelease: "WITHHELD" } } }),
    () => ({ order: { BillOfLading: [{ Freight: "REFUSED" }] } }),
    (draw) => ({ order: { ContainerLoad: { HoldReason: draw.digits(3) } } }),
    () => ({ segment: { QuayBerth: "Do not load before the agent has called" } }),
    (draw) => ({ order: { StowageFaults: { Fault: [{ Id: draw.uuid() }] } } }),
  ],
};

export const banking: Trade = {
  name: "banking",
  members: (draw) => ({
    envelope: { msg_header: { msg_id: draw.uuid(), created_at: draw.dateTime(), schema_version: "pain.001.09" } },
    order: {
      ledger_entry: {
        booking_key: draw.pick(["DBIT", "CRDT"]),
        value_date: draw.date(),
        entry_ref: draw.id("TRX"),
        end_to_end: draw.letters(9),
        amount_instd: { ccy: draw.pick(["EUR", "USD", "CHF"]), amt: draw.amount() },
        fx_rate: `1.${draw.digits(4)}`,
        charge_bearer: draw.pick(["SHAR", "DEBT", "CRED"]),
        purpose: draw.pick(["TRAD", "SALA", "TRPT"]),
        narrative_lang: "en",
        teller: draw.letters(3),
        batch_booking: draw.bool(),
        sca_exemption: draw.pick(["TRA", "LOW", "NONE", null]),
        page_no: draw.integer(40),
        country_code: draw.pick(["US", "DE", "NO", "CN", "PT"]),
      },
      branch_name: draw.pick(["Lisboa Baixa", "Frankfurt Westend", "Porto Bolhão"]),
      iban_masked: `DE${draw.digits(2)}****${draw.digits(4)}`,
    },
    view: { settlement_cycle: draw.pick(["T+1", "T+2"]), cut_off_time: draw.time() },
  }),
  stops: [
    () => ({ order: { ledger_entry: { payment_state: "chargeback" } } }),
    () => ({ order: { ledger_entry: { purpose: "disputed by payer" } } }),
    () => ({ view: { settlement_cycle: "suspended" } }),
    (draw) => ({ envelope: { msg_header: { warning_id: draw.digits(4) } } }),
    () => ({ order: { aml_check: { manual_review: true } } }),
  ],
};

export const insurance: Trade = {
  name: "insurance",
  members: (draw) => ({
    order: {
      "ins:Policy": {
        "@number": draw.id("POL"),
        "@product": draw.pick(["TRAVEL-BASIC", "TRAVEL-PLUS", "ANNUAL"]),
        "@xml:lang": draw.pick(["en", "de", "pt"]),
        "ins:Premium": { "@ccy": "EUR", "#text": draw.amount() },
        "ins:Cover": [
          { "@kind": "LUGGAGE", "ins:Limit": draw.digits(4), "ins:Deductible": `${draw.digits(2)} EUR` },
          { "@kind": draw.pick(["ACCIDENT", "LIABILITY"]), "ins:Limit": draw.digits(5) },
        ],
        "ins:Inception": draw.date(),
        "ins:Broker": { "@code": draw.letters(5), "#text": draw.pick(["Broker Um", "Broker Dois", "Maklerhaus"]) },
        "ins:CancellationFee": draw.amount(),
        "ins:Rider": draw.pick(["A", "B", "C", "D"]),
        "ins:TermMonths": draw.integer(24),
      },
    },
    offerItem: { "ins:Coverable": draw.pick(["yes", "no"]), "ins:RiskScore": draw.integer(100) },
  }),
  stops: [
    () => ({ order: { "ins:Policy": { "ins:Standing": { "@state": "lapsed" } } } }),
    () => ({ offerItem: { "ins:Coverable": "awaiting medical form" } }),
    () => ({ order: { "ins:Policy": { "ins:Rider": "no longer valid" } } }),
    (draw) => ({ order: { "ins:Policy": { "ins:Exception": { "@nr": draw.digits(3), "#text": draw.digits(2) } } } }),
  ],
};

export const farming: Trade = {
  name: "farming",
  members: (draw) => ({
    order: {
      Ernte: {
        Schlag: {
          Nummer: draw.digits(3),
          Flaeche_ha: `${draw.digits(2)},${draw.digits(1)}`,
          Bodenart: draw.pick(["Lehm", "Sand", "Ton"]),
        },
        Sorte: draw.pick(["Weizen", "Roggen", "Gerste", "Hafer"]),
        Saatgut_Charge: draw.id("SG"),
        Fahrer_Kuerzel: draw.letters(3),
        Feuchte_Prozent: `${draw.digits(2)} %`,
        Wiegezeit: draw.time(),
        Oeko: draw.pick(["ja", "nein"]),
        Lagerort: { Silo: draw.pick(["A", "B", "C"]), Fach: draw.integer(30) },
        Wartezeit: `${draw.digits(2)} min`,
        Sperrgut: draw.pick(["ja", "nein"]),
        Stornofrist: `${draw.digits(2)} Tage`,
      },
      Traktoren: ["Fendt", draw.pick(["Claas", "Deutz"])],
    },
    passenger: { Erntehelfer: draw.pick(["ja", "nein"]), Kennung: draw.digits(8) },
  }),
  stops: [
    () => ({ order: { Ernte: { Freigabe: "ausstehend" } } }),
    () => ({ order: { Ernte: { Sorte: "abgelehnt" } } }),
    () => ({ passenger: { Merkmal: "Rollstuhlfahrer" } }),
    (draw) => ({ order: { Ernte: { Lagerort: { Sperre: draw.digits(2) } } } }),
    () => ({ order: { Ernte: { Hinweis: "Bitte vor der Umbuchung anrufen" } } }),
  ],
};
