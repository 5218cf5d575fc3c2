const passengerTypes: Readonly<Record<string, string>> = {
  ADT: "adult",
  CHD: "child",
  CNN: "child",
  UNN: "unaccompanied child",
  INF: "infant",
  INS: "infant with a seat",
};

export function describePassengerType(type: string | null): string {
  return type === null ? "type not stated" : (passengerTypes[type] ?? type);
}

/** As the gateway states it, for the whole booking: `NOT TICKETED` → `not ticketed`. */
export function describeTicketStatus(status: string | null): string {
  return status === null ? "status not stated" : status.toLowerCase();
}
