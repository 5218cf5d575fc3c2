import type { TravellerTexts } from "./traveller-text.ts";

export const spanish: TravellerTexts = {
  name: "Español",
  locale: "es-ES",
  subject: {
    "order-cancelled": "Su reserva {route} del {date} está cancelada",
    cancelled: "Sus vuelos {route} ({date}) están cancelados",
    withdrawn: "Uno de sus vuelos {route} ({date}) está cancelado",
    connection: "Sus vuelos {route} ({date}): conexión imposible",
    "other-flight": "Sus vuelos {route} ({date}): otros vuelos",
    retimed: "Sus vuelos {route} ({date}): nuevos horarios",
    details: "Sus vuelos {route} ({date}): pequeño cambio",
  },
  greeting: "Buenos días, {names}:",
  greetingWithoutName: "Buenos días:",
  news: {
    "order-cancelled": "Su reserva está cancelada. Estos vuelos estaban reservados:",
    cancelled: "La aerolínea ha cancelado sus vuelos y no ofrece otros.",
    withdrawn: "La aerolínea ha cancelado uno de sus vuelos y no ofrece otro en su lugar.",
    connection: "La aerolínea ha cambiado sus vuelos. Con los nuevos vuelos perdería una conexión.",
    "other-flight": "La aerolínea ha pasado su reserva a otros vuelos.",
    retimed: "La aerolínea ha cambiado los horarios de sus vuelos.",
    details: "La aerolínea ha cambiado un detalle de sus vuelos. Los horarios no cambian.",
  },
  airlineWroteToo: "Es posible que la aerolínea también le haya escrito al respecto.",
  booked: "Reservado",
  proposed: "Nuevo",
  unchanged: "Sin cambios",
  shift: {
    departure: { later: "sale {time} más tarde", earlier: "sale {time} antes" },
    arrival: { later: "llega {time} más tarde", earlier: "llega {time} antes" },
  },
  nothingOffered: "cancelado, no se ofrece otro vuelo",
  terminal: "terminal {terminal}",
  operatedBy: "operado por {airline}",
  alsoChanged: "También cambia: {details}",
  details: { aircraft: "tipo de avión", cabin: "cabina", stops: "escalas", fare: "condiciones de la tarifa" },
  connection: "En {airport} tendría {time} para cambiar de avión; el mínimo es de {minimum}.",
  connectionOfUnknownTime: "La conexión en {airport} ya no es posible.",
  noFlight: "No hay ningún vuelo de {from} a {to}.",
  localTimes: "Todas las horas son locales de cada aeropuerto.",
  othersStay: "Sus demás vuelos siguen como están reservados.",
  rights: {
    "refund-or-rerouting": "Según {law}, puede elegir entre el reembolso y otro vuelo{journey}.",
    compensation: "Según {law}, tiene derecho a una compensación{journey}.",
    "partial-refund": "Según {law}, tiene derecho a un reembolso parcial{journey}.",
  },
  compensationOf: "Según {law}, tiene derecho a una compensación de {amount} por pasajero{journey}.",
  closing: {
    "order-cancelled":
      "Hemos cancelado esta reserva. Póngase en contacto con nosotros para el reembolso, o si desea otros vuelos.",
    accepted: "Hemos aceptado este cambio por usted. No tiene que hacer nada.",
    accept:
      "Si le viene bien, no tiene que hacer nada: aceptaremos el cambio por usted. Si no, díganoslo lo antes posible.",
    answer:
      "Díganos lo antes posible si le viene bien. Entonces podremos aceptar el cambio o buscar otra solución con usted.",
    acceptedBroken:
      "Hemos aceptado este cambio por usted, pero no puede tomar todos estos vuelos. Póngase en contacto con nosotros lo antes posible para que busquemos una solución con usted.",
    decide: "Díganos lo antes posible cómo desea proceder.",
  },
  farewell: "Saludos cordiales",
  unknown: {
    flight: "número de vuelo desconocido",
    airport: "aeropuerto desconocido",
    date: "fecha desconocida",
    time: "hora desconocida",
  },
};
