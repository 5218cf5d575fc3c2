import type { Trade } from "./trade.ts";

export const hospitals: Trade = {
  name: "hospitals",
  members: (draw) => ({
    order: {
      wardAllocation: {
        wardCode: draw.pick(["W1", "W2", "ICU3", "W7"]),
        bedLetter: draw.pick(["A", "B", "C", "D", "E", "F"]),
        admittingDesk: draw.letters(3),
        admittedAt: draw.dateTime(),
        shiftPattern: draw.pick(["early", "late", "night"]),
        caseMixIndex: `0.${draw.digits(3)}`,
        episodeGuid: draw.uuid(),
        isDayCase: draw.bool(),
        visitingHours: draw.pick(["10:00-12:00", "14:00-18:00"]),
        dietPlan: draw.pick(["Standard", "Vegetarian", "Soft food"]),
        roomTypeCode: draw.pick(["NS", "SGL", "DBL"]),
      },
      bedsByPassenger: { T1: { bedLetter: draw.pick(["A", "B", "C"]), lampOn: draw.bool() } },
      registrarInitials: draw.letters(2),
    },
    passenger: { bandColour: draw.pick(["blue", "green", "white"]), bandSerial: draw.digits(10) },
    dataLists: { wardList: { ward: [{ floor: draw.integer(9), wing: draw.pick(["north", "south"]) }] } },
  }),
  stops: [
    () => ({ order: { wardAllocation: { dietPlan: "oxygen on board" } } }),
    () => ({ passenger: { mobilityAid: "electric" } }),
    () => ({ order: { bedsByPassenger: { T1: { carer: "travels with carer" } } } }),
    () => ({ order: { wardAllocation: { shiftPattern: "not confirmed" } } }),
    (draw) => ({ passenger: { medClearance: { formNo: draw.digits(6) } } }),
  ],
};

export const hotels: Trade = {
  name: "hotels",
  members: (draw) => ({
    order: {
      "stay-details": {
        "property-id": draw.digits(6),
        "room-type": draw.pick(["DBL", "SGL", "TWN", "STE"]),
        "rate-plan": draw.pick(["BAR", "CORP", "PKG"]),
        "board-basis": draw.pick(["RO", "BB", "HB"]),
        "front-desk-agent": draw.letters(4),
        "arrival-time": draw.time(),
        "nights-count": draw.integer(14),
        "city-tax": `EUR ${draw.amount()}`,
        "smoking-allowed": draw.bool(),
        "preferred-contact": draw.pick(["Phone", "Email", "SMS"]),
        "cancellation-policy": draw.pick(["Flexible", "Non refundable", "Free cancellation until 18:00"]),
        amenities: ["pool", draw.pick(["gym", "spa", "sauna"]), "barrier free"],
      },
      "rooms-by-id": { [`RM${draw.digits(5)}`]: { floor: draw.integer(20), view: draw.pick(["sea", "garden"]) } },
      "key-cards": { issued: draw.integer(4), "serials-csv": `${draw.digits(8)},${draw.digits(8)}` },
    },
    offerItem: { "upsell-shown": draw.bool() },
  }),
  stops: [
    () => ({ order: { "stay-details": { "room-type": "waitlisted" } } }),
    () => ({ order: { "stay-details": { "no-show": true } } }),
    () => ({ order: { "stay-details": { "special-requests": [{ id: 7 }] } } }),
    () => ({ offerItem: { "item-state": "On request" } }),
    () => ({ order: { "key-cards": { "guest-message": "The airline wants to talk to you first" } } }),
  ],
};

export const libraries: Trade = {
  name: "libraries",
  members: (draw) => ({
    order: {
      shlf: {
        clsNo: `${draw.digits(3)}.${draw.digits(2)}`,
        brcd: draw.digits(13),
        loc: draw.pick(["MAIN", "ANNX", "DPT"]),
        lnPrd: draw.pick(["7D", "14D", "28D"]),
        opr: draw.letters(3),
        cpy: draw.integer(6),
        lng: draw.pick(["eng", "por", "deu"]),
        bnd: draw.pick(["HB", "PB"]),
        chgDt: draw.date(),
        rnwl: draw.pick(["0", "1", "2"]),
        ttl: draw.pick(["The Voyage Out", "Atlas of Rivers", "On Tides"]),
        dwy: [draw.digits(3), draw.digits(3)],
      },
      acqStmp: draw.dateTime(),
      spn1: draw.letters(2),
      spn2: draw.letters(2),
    },
    segment: { rck: draw.pick(["R1", "R2", "R3"]), vol: draw.integer(30) },
  }),
  stops: [
    () => ({ order: { shlf: { sts: "UC" } } }),
    () => ({ segment: { rmk: "12" } }),
    () => ({ order: { shlf: { loc: "LOST" } } }),
    () => ({ order: { shlf: { rnwl: "PLS CALL CARRIER" } } }),
    (draw) => ({ order: { err: { cd: draw.digits(4) } } }),
  ],
};

export const theatre: Trade = {
  name: "theatre",
  members: (draw) => ({
    order: {
      Representación: {
        Sala: draw.pick(["Grande", "Estudio"]),
        Butaca: { Fila: draw.pick([..."ABCDEFGHJK"]), Número: draw.integer(40) },
        Taquillero: draw.letters(4),
        Función: draw.dateTime(),
        Abono: draw.pick(["sí", "no"]),
        Género: draw.pick(["Drama", "Comedia", "Zarzuela"]),
        PrecioTotal: `${draw.integer(90)},50 €`,
        Reembolsable: draw.pick(["sí", "no"]),
        SalaDeEspera: draw.integer(4),
        AtencionAlCliente: "+34 91 123 45 67",
        Referencia: draw.id("ENT"),
      },
      Línea1: draw.pick(["Acto I", "Acto II"]),
      Línea2: draw.pick(["Palco", "Platea"]),
      Línea3: draw.digits(5),
    },
    dataLists: { ListaDeButacas: { Butaca: [[draw.digits(2), draw.digits(2)], [draw.digits(2)]] } },
  }),
  stops: [
    () => ({ order: { Representación: { Situación: "Lista de espera" } } }),
    () => ({ order: { Línea2: "Llamar a la compañía" } }),
    () => ({ order: { Representación: { Espectador: { Silla: "silla de ruedas" } } } }),
    (draw) => ({ order: { Representación: { Aviso: draw.digits(2) } } }),
    () => ({ order: { Representación: { Abono: "anulado" } } }),
  ],
};
