"""Reads an order and accepts its change, if the airline allows that. Needs nothing but Python 3.9."""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request

GATEWAY = os.environ.get("GATEWAY_URL", "http://127.0.0.1:4000")
HEADERS = {
    "Content-Type": "application/json",
    "Authorization": os.environ.get("GATEWAY_TOKEN", "demo-gateway-access-token"),
    "x-api-key": os.environ.get("GATEWAY_KEY", "demo-gateway-api-key"),
}
# Who calls. Real gateways refuse requests without it.
CALLER = {
    "Document": {"Name": "API GATEWAY", "ReferenceVersion": "1.0"},
    "Party": {
        "Sender": {
            "TravelAgencySender": {
                "Name": "Example Travel",
                "IATA_Number": "",
                "AgencyID": "",
                "Contacts": {"Contact": [{"EmailContact": "desk@travel.example"}]},
            }
        }
    },
}


def call(operation, root, order_id, references):
    request = {root: {**CALLER, "Query": {"OrderID": order_id, "GdsBookingReference": references}}}
    sent = urllib.request.Request(f"{GATEWAY}/{operation}", json.dumps(request).encode(), HEADERS)
    try:
        with urllib.request.urlopen(sent, timeout=90) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{operation} was refused with {error.code}: {error.read().decode(errors='replace')}")
    except (OSError, http.client.HTTPException, ValueError) as error:
        # It may have been carried out if it was sent: read the status before anything else.
        sys.exit(f"{operation} got no response that can be read: {error}")
    if any("Errors" in content for content in answer.values()):
        sys.exit(f"{operation} was refused: {json.dumps(answer)}")
    return answer


def main(order_id, references):
    status = call("AirReservationStatus", "OrderStatusRQ", order_id, references)
    flags = [
        change["AmendmentsActions"].get("Accept")
        for order in status["OrderViewRS"]["Order"]
        for change in order.get("ScheduleChange", [])
        if "AmendmentsActions" in change
    ]
    if not flags or any(flag != "Y" for flag in flags):
        sys.exit(f"The airline does not allow an accept: {flags}")
    accepted = call("AirOrderInvoluntaryAccept", "OrderInvoluntaryAcceptRQ", order_id, references)
    for result in accepted["OrderInvoluntaryAcceptRS"]["Result"]:
        print("accept:", result["Status"], result.get("ErrorMsg", ""))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "MINE1", sys.argv[2:] or ["MINEA1"])
