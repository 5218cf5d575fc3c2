import type { TravellerTexts } from "./traveller-text.ts";

export const english: TravellerTexts = {
  name: "English",
  locale: "en-GB",
  subject: {
    "order-cancelled": "Your booking {route} on {date} is cancelled",
    cancelled: "Your flights {route} on {date} are cancelled",
    withdrawn: "One of your flights {route} on {date} is cancelled",
    connection: "Your flights {route} on {date}: a connection no longer works",
    "other-flight": "Your flights {route} on {date}: other flights",
    retimed: "Your flights {route} on {date}: new times",
    details: "Your flights {route} on {date}: a small change",
  },
  greeting: "Dear {names},",
  greetingWithoutName: "Hello,",
  news: {
    "order-cancelled": "Your booking is cancelled. These flights were booked:",
    cancelled: "The airline has cancelled your flights and offers no others.",
    withdrawn: "The airline has cancelled one of your flights and offers no other in its place.",
    connection: "The airline has changed your flights. With the new flights you would miss a connection.",
    "other-flight": "The airline has put you on other flights.",
    retimed: "The airline has changed the times of your flights.",
    details: "The airline has changed a detail of your flights. The times stay the same.",
  },
  airlineWroteToo: "The airline may have written to you about this as well.",
  booked: "Booked",
  proposed: "New",
  unchanged: "Unchanged",
  shift: {
    departure: { later: "departs {time} later", earlier: "departs {time} earlier" },
    arrival: { later: "arrives {time} later", earlier: "arrives {time} earlier" },
  },
  nothingOffered: "cancelled, no other flight offered",
  terminal: "Terminal {terminal}",
  operatedBy: "operated by {airline}",
  alsoChanged: "Also changed: {details}",
  details: { aircraft: "aircraft type", cabin: "cabin", stops: "stops on the way", fare: "fare conditions" },
  connection: "At {airport} you would have {time} to change flights; the minimum is {minimum}.",
  connectionOfUnknownTime: "The connection at {airport} can no longer be made.",
  noFlight: "There is no flight from {from} to {to}.",
  localTimes: "All times are local at each airport.",
  othersStay: "Your other flights stay as booked.",
  rights: {
    "refund-or-rerouting": "Under {law} you may choose between a refund and another flight{journey}.",
    compensation: "Under {law} you are entitled to compensation{journey}.",
    "partial-refund": "Under {law} you are entitled to a partial refund{journey}.",
  },
  compensationOf: "Under {law} you are entitled to compensation of {amount} per passenger{journey}.",
  closing: {
    "order-cancelled":
      "We have cancelled this booking. Please contact us about the refund, or if you would like other flights.",
    accepted: "We have accepted this change for you. You do not need to do anything.",
    accept:
      "If this suits you, you do not need to do anything: we will accept the change for you. If it does not, please let us know as soon as possible.",
    answer:
      "Please let us know as soon as possible whether this suits you. We can then accept the change, or find something else with you.",
    acceptedBroken:
      "We have accepted this change for you, but you cannot travel on all of these flights. Please contact us as soon as possible, so that we can find a way with you.",
    decide: "Please let us know as soon as possible how you would like to proceed.",
  },
  farewell: "Kind regards",
  unknown: {
    flight: "flight number not known",
    airport: "airport not known",
    date: "date not known",
    time: "time not known",
  },
};
