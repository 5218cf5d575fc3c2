#!/bin/sh
# Reads an order and accepts its change, if the airline allows that. Needs curl.
#   sh examples/curl/accept.sh [OrderID] [GdsBookingReference]
set -eu
gateway="${GATEWAY_URL:-http://127.0.0.1:4000}"
order="${1:-MINE1}"
reference="${2:-MINEA1}"

call() {
  # Real gateways refuse a request without Document and Party.
  curl --silent --show-error --fail-with-body "$gateway/$1" \
    -H "Content-Type: application/json" \
    -H "Authorization: ${GATEWAY_TOKEN:-demo-gateway-access-token}" \
    -H "x-api-key: ${GATEWAY_KEY:-demo-gateway-api-key}" \
    -d "{\"$2\": {
      \"Document\": {\"Name\": \"API GATEWAY\", \"ReferenceVersion\": \"1.0\"},
      \"Party\": {\"Sender\": {\"TravelAgencySender\": {\"Name\": \"Example Travel\", \"IATA_Number\": \"\", \"AgencyID\": \"\",
        \"Contacts\": {\"Contact\": [{\"EmailContact\": \"desk@travel.example\"}]}}}},
      \"Query\": {\"OrderID\": \"$order\", \"GdsBookingReference\": [\"$reference\"]}}}"
}

if ! status=$(call AirReservationStatus OrderStatusRQ); then
  printf '%s\n' "$status" >&2
  exit 1
fi
if ! printf '%s\n' "$status" | grep -q '"Accept": *"Y"'; then
  echo "The airline does not allow an accept." >&2
  exit 1
fi
call AirOrderInvoluntaryAccept OrderInvoluntaryAcceptRQ
echo
