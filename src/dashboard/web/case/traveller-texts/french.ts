import type { TravellerTexts } from "./traveller-text.ts";

export const french: TravellerTexts = {
  name: "Français",
  locale: "fr-FR",
  subject: {
    "order-cancelled": "Votre réservation {route} du {date} est annulée",
    cancelled: "Vos vols {route} ({date}) sont annulés",
    withdrawn: "Un de vos vols {route} ({date}) est annulé",
    connection: "Vos vols {route} ({date}) : correspondance impossible",
    "other-flight": "Vos vols {route} ({date}) : autres vols",
    retimed: "Vos vols {route} ({date}) : nouveaux horaires",
    details: "Vos vols {route} ({date}) : petite modification",
  },
  greeting: "Bonjour {names},",
  greetingWithoutName: "Bonjour,",
  news: {
    "order-cancelled": "Votre réservation est annulée. Ces vols étaient réservés :",
    cancelled: "La compagnie aérienne a annulé vos vols et n’en propose pas d’autres.",
    withdrawn: "La compagnie aérienne a annulé un de vos vols et n’en propose pas d’autre à la place.",
    connection: "La compagnie aérienne a modifié vos vols. Avec les nouveaux vols, vous manqueriez une correspondance.",
    "other-flight": "La compagnie aérienne vous a placé sur d’autres vols.",
    retimed: "La compagnie aérienne a modifié les horaires de vos vols.",
    details: "La compagnie aérienne a modifié un détail de vos vols. Les horaires restent les mêmes.",
  },
  airlineWroteToo: "La compagnie aérienne vous a peut-être aussi écrit à ce sujet.",
  booked: "Réservé",
  proposed: "Nouveau",
  unchanged: "Inchangé",
  shift: {
    departure: { later: "départ {time} plus tard", earlier: "départ {time} plus tôt" },
    arrival: { later: "arrivée {time} plus tard", earlier: "arrivée {time} plus tôt" },
  },
  nothingOffered: "annulé, aucun autre vol proposé",
  terminal: "terminal {terminal}",
  operatedBy: "opéré par {airline}",
  alsoChanged: "Également modifié : {details}",
  details: { aircraft: "type d’avion", cabin: "cabine", stops: "escales", fare: "conditions tarifaires" },
  connection: "À {airport}, il vous resterait {time} pour changer d’avion ; le minimum est de {minimum}.",
  connectionOfUnknownTime: "La correspondance à {airport} n’est plus possible.",
  noFlight: "Il n’y a pas de vol de {from} à {to}.",
  localTimes: "Tous les horaires sont en heure locale de chaque aéroport.",
  othersStay: "Vos autres vols restent comme réservés.",
  rights: {
    "refund-or-rerouting": "Selon {law}, vous avez le choix entre un remboursement et un autre vol{journey}.",
    compensation: "Selon {law}, vous avez droit à une indemnisation{journey}.",
    "partial-refund": "Selon {law}, vous avez droit à un remboursement partiel{journey}.",
  },
  compensationOf: "Selon {law}, vous avez droit à une indemnisation de {amount} par passager{journey}.",
  closing: {
    "order-cancelled":
      "Nous avons annulé cette réservation. Merci de nous contacter au sujet du remboursement, ou si vous souhaitez d’autres vols.",
    accepted: "Nous avons accepté cette modification pour vous. Vous n’avez rien à faire.",
    accept:
      "Si cela vous convient, vous n’avez rien à faire : nous accepterons la modification pour vous. Sinon, merci de nous le dire dès que possible.",
    answer:
      "Merci de nous dire dès que possible si cela vous convient. Nous pourrons alors accepter la modification ou chercher une autre solution avec vous.",
    acceptedBroken:
      "Nous avons accepté cette modification pour vous, mais vous ne pouvez pas prendre tous ces vols. Merci de nous contacter dès que possible, afin que nous trouvions une solution avec vous.",
    decide: "Merci de nous dire dès que possible ce que vous souhaitez faire.",
  },
  farewell: "Cordialement",
  unknown: {
    flight: "numéro de vol inconnu",
    airport: "aéroport inconnu",
    date: "date inconnue",
    time: "heure inconnue",
  },
};
