import type { TravellerTexts } from "./traveller-text.ts";

export const german: TravellerTexts = {
  name: "Deutsch",
  locale: "de-DE",
  subject: {
    "order-cancelled": "Ihre Buchung {route} am {date} ist storniert",
    cancelled: "Ihre Flüge {route} am {date} sind gestrichen",
    withdrawn: "Einer Ihrer Flüge {route} am {date} ist gestrichen",
    connection: "Ihre Flüge {route} am {date}: Anschluss nicht mehr erreichbar",
    "other-flight": "Ihre Flüge {route} am {date}: andere Flüge",
    retimed: "Ihre Flüge {route} am {date}: neue Zeiten",
    details: "Ihre Flüge {route} am {date}: kleine Änderung",
  },
  greeting: "Guten Tag {names},",
  greetingWithoutName: "Guten Tag,",
  news: {
    "order-cancelled": "Ihre Buchung ist storniert. Diese Flüge waren gebucht:",
    cancelled: "die Fluggesellschaft hat Ihre Flüge gestrichen und bietet keine anderen an.",
    withdrawn: "die Fluggesellschaft hat einen Ihrer Flüge gestrichen und bietet keinen Ersatz an.",
    connection:
      "die Fluggesellschaft hat Ihre Flüge geändert. Mit den neuen Flügen würden Sie einen Anschluss verpassen.",
    "other-flight": "die Fluggesellschaft hat Sie auf andere Flüge umgebucht.",
    retimed: "die Fluggesellschaft hat die Zeiten Ihrer Flüge geändert.",
    details: "die Fluggesellschaft hat eine Einzelheit Ihrer Flüge geändert. Die Zeiten bleiben gleich.",
  },
  airlineWroteToo: "Vielleicht hat Ihnen die Fluggesellschaft dazu auch selbst geschrieben.",
  booked: "Gebucht",
  proposed: "Neu",
  unchanged: "Unverändert",
  shift: {
    departure: { later: "Abflug {time} später", earlier: "Abflug {time} früher" },
    arrival: { later: "Ankunft {time} später", earlier: "Ankunft {time} früher" },
  },
  nothingOffered: "gestrichen, kein anderer Flug angeboten",
  terminal: "Terminal {terminal}",
  operatedBy: "durchgeführt von {airline}",
  alsoChanged: "Außerdem geändert: {details}",
  details: { aircraft: "Flugzeugtyp", cabin: "Reiseklasse", stops: "Zwischenlandungen", fare: "Tarifbedingungen" },
  connection: "In {airport} blieben Ihnen {time} zum Umsteigen; die Mindestzeit beträgt {minimum}.",
  connectionOfUnknownTime: "Der Anschluss in {airport} ist nicht mehr zu erreichen.",
  noFlight: "Von {from} nach {to} gibt es keinen Flug.",
  localTimes: "Alle Zeiten sind Ortszeiten am jeweiligen Flughafen.",
  othersStay: "Ihre anderen Flüge bleiben wie gebucht.",
  rights: {
    "refund-or-rerouting": "Nach {law} können Sie zwischen Erstattung und einem anderen Flug wählen{journey}.",
    compensation: "Nach {law} haben Sie Anspruch auf eine Ausgleichszahlung{journey}.",
    "partial-refund": "Nach {law} haben Sie Anspruch auf eine teilweise Erstattung{journey}.",
  },
  compensationOf: "Nach {law} haben Sie Anspruch auf eine Ausgleichszahlung von {amount} pro Person{journey}.",
  closing: {
    "order-cancelled":
      "Wir haben diese Buchung storniert. Bitte melden Sie sich bei uns wegen der Erstattung, oder wenn Sie andere Flüge wünschen.",
    accepted: "Wir haben die Änderung für Sie angenommen. Sie müssen nichts weiter tun.",
    accept:
      "Wenn es Ihnen so passt, müssen Sie nichts tun: Wir nehmen die Änderung für Sie an. Wenn nicht, sagen Sie uns bitte so bald wie möglich Bescheid.",
    answer:
      "Bitte sagen Sie uns so bald wie möglich, ob es Ihnen so passt. Dann nehmen wir die Änderung an oder suchen mit Ihnen etwas anderes.",
    acceptedBroken:
      "Wir haben die Änderung für Sie angenommen, aber Sie können nicht alle diese Flüge nehmen. Bitte melden Sie sich so bald wie möglich bei uns, damit wir mit Ihnen eine Lösung finden.",
    decide: "Bitte sagen Sie uns so bald wie möglich, wie Sie vorgehen möchten.",
  },
  farewell: "Freundliche Grüße",
  unknown: {
    flight: "Flugnummer nicht bekannt",
    airport: "Flughafen nicht bekannt",
    date: "Datum nicht bekannt",
    time: "Zeit nicht bekannt",
  },
};
