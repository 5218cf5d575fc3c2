import type { Trade } from "./trade.ts";

export const railways: Trade = {
  name: "railways",
  members: (draw) => ({
    order: {
      TrainPath: {
        PathId: draw.uuid(),
        RollingStock: draw.pick(["EMU", "DMU", "LOCO"]),
        Traction: { Kind: draw.pick(["25kV", "15kV", "3kV"]), PowerKw: draw.digits(4) },
        CoachLetters: draw.pick(["A-D", "A-F", "B-H"]),
        DriverRoster: draw.letters(5),
        Halts: draw.integer(9),
        StationCalls: [
          { Station: draw.pick(["Rossio", "Oriente", "Sintra"]), Platform: draw.digits(1), Arr: draw.time() },
          { Station: draw.pick(["Entroncamento", "Coimbra"]), Platform: draw.digits(1), Arr: draw.time() },
        ],
        EscalatorNearby: draw.bool(),
        BlockTime: draw.time(),
        NonStop: draw.bool(),
        Gauge_mm: 1668,
      },
    },
    segment: { SeatsBySegment: { Segment1: { Coach: draw.integer(20), Facing: draw.pick(["FWD", "BACK"]) } } },
    view: { TimetablePeriod: draw.pick(["2026/27", "2027/28"]) },
  }),
  stops: [
    () => ({ order: { TrainPath: { Traction: { Kind: "withdrawn from service" } } } }),
    () => ({ segment: { PathStatus: "UN" } }),
    () => ({ order: { TrainPath: { StationCalls: [{ Station: "unaccompanied child" }] } } }),
    (draw) => ({ order: { TrainPath: { DisruptionCase: draw.digits(5) } } }),
    () => ({ view: { OperatingNotes: { Note: ["Wait for the carrier's answer"] } } }),
  ],
};

export const telephony: Trade = {
  name: "telephony",
  members: (draw) => ({
    order: {
      call_detail: {
        cdr_id: draw.digits(12),
        trunk_grp: draw.pick(["TG1", "TG2", "TG9"]),
        codec: draw.pick(["g711", "opus", "g729"]),
        caller_type: draw.pick(["Mobile", "Landline"]),
        setup_ms: draw.digits(3),
        duration_s: draw.digits(3),
        msisdn: `+351 9${draw.digits(8)}`,
        operator_sign: draw.letters(4),
        qos: { mos: `4.${draw.digits(1)}`, jitter: `${draw.digits(2)} ms`, loss_pct: draw.integer(3) },
        roaming: draw.bool(),
        message_type: draw.pick(["INVITE", "BYE", "ACK"]),
        minor_version: draw.integer(9),
        call_centre: draw.pick(["North", "South"]),
        ring_tone: draw.pick(["classic", "marimba"]),
      },
      extension_map: { [`x${draw.digits(4)}`]: { desk: draw.pick(["front", "back"]), lines: draw.integer(4) } },
    },
    passenger: { sim_slot: draw.pick(["1", "2"]), plan_name: draw.pick(["Flex M", "Flex L"]) },
  }),
  stops: [
    () => ({ order: { call_detail: { codec: "contact the airline" } } }),
    () => ({ order: { call_detail: { barring: { locked: true } } } }),
    () => ({ passenger: { plan_name: "deaf passenger" } }),
    () => ({ order: { call_detail: { qos: { alert: 3 } } } }),
    () => ({ order: { extension_map: { x1: { follow_up: "2027-01-04" } } } }),
  ],
};

export const powerGrids: Trade = {
  name: "power grids",
  members: (draw) => ({
    order: {
      reseau: {
        posteSource: draw.pick(["Lyon Est", "Nantes", "Metz"]),
        tensionKv: draw.pick([63, 90, 225, 400]),
        codeExploitant: draw.letters(4),
        puissance: { valeur: draw.amount(), unite: "MW" },
        releveLe: draw.date(),
        compteur: draw.digits(14),
        typeAbonnement: draw.pick(["Bleu", "Jaune", "Vert"]),
        heuresCreuses: draw.bool(),
        phase: draw.pick(["L1", "L2", "L3"]),
        salleAttente: draw.pick(["A", "B"]),
        annulationGratuite: draw.pick(["oui", "non"]),
        libelle: draw.pick(["Ligne aérienne", "Câble souterrain"]),
      },
      mesures: { [draw.date()]: { min: draw.integer(50), max: draw.integer(90), qualite: draw.pick(["A", "B"]) } },
    },
    view: { periode: `${draw.pick(["T1", "T2", "T3", "T4"])}-2027` },
  }),
  stops: [
    () => ({ order: { reseau: { etat: "En attente" } } }),
    () => ({ order: { reseau: { libelle: "Ne pas traiter" } } }),
    () => ({ order: { reseau: { phase: "suspendue" } } }),
    (draw) => ({ order: { reseau: { avertissement: draw.digits(2) } } }),
    () => ({ order: { reseau: { usager: { besoin: "fauteuil roulant" } } } }),
  ],
};

export const courts: Trade = {
  name: "courts",
  members: (draw) => ({
    order: {
      Processo: {
        NumeroDoProcesso: `${draw.digits(4)}/27.${draw.digits(1)}T8LSB`,
        Vara: draw.pick(["Cível", "Penal", "Família"]),
        Escrivao: draw.letters(4),
        Secao: draw.pick(["S1", "S2", "S3"]),
        DistribuidoEm: draw.date(),
        CustasTotais: `${draw.integer(900)},00 EUR`,
        Folhas: draw.integer(300),
        Digital: draw.pick(["sim", "não"]),
        SalaDeAudiencias: { Andar: draw.integer(5), Letra: draw.pick(["A", "B", "C"]) },
        CancelamentoGratis: draw.pick(["sim", "não"]),
        Anexos: [{ Hash: draw.digits(20), Formato: draw.pick(["PDF", "XML"]) }],
      },
      MoradaLinha1: draw.pick(["Campus de Justiça", "Palácio"]),
    },
    passenger: { Interveniente: draw.pick(["Autor", "Testemunha"]) },
    envelope: { Tramitacao: { Canal: draw.pick(["web", "balcao"]), Enviado: draw.dateTime() } },
  }),
  stops: [
    () => ({ order: { Processo: { Estado: "Suspenso" } } }),
    () => ({ order: { Processo: { Vara: "Pendente" } } }),
    () => ({ passenger: { Interveniente: "menor desacompanhado" } }),
    () => ({ envelope: { Tramitacao: { Canal: "ligar para a companhia" } } }),
    (draw) => ({ order: { Processo: { Observacoes: [draw.digits(3)] } } }),
  ],
};
