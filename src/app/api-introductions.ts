import { demoCredentials } from "../config/demo-credentials.ts";

const { apiToken, gatewayAccessToken, gatewayApiKey, gatewayControlToken } = demoCredentials;

/** The first page of `/docs` on the agency side, in Markdown. */
export function introduceAgencySide(url = "http://127.0.0.1:3000"): string {
  return `Skedchange receives the order change notifications of your booking gateway, decides about each change, and puts what people must decide into a queue. With this API your programs read cases and act on them, as the dashboard does.

## Authenticate

| What you call | What it takes |
|---|---|
| the API, below \`/api/v1\` | \`Authorization: Bearer <token>\`. The token is \`API_TOKEN\` of the server, or one that a person makes for a program on the page *Account* of the dashboard |
| the push target, \`POST /ocn\` | what you agreed on with your gateway: Basic, Bearer or OAuth |
| \`/readyz\`, \`/metrics\`, \`/openapi.json\` | nothing |

## Your first request

The newest cases of the demo (\`npm start\`). Elsewhere, use your own address and token.

\`\`\`sh
curl "${url}/api/v1/cases?limit=3" \\
  -H "Authorization: Bearer ${apiToken}"
\`\`\`

## Where to go next

- *Cases*: read them and act on them. *Events*: have them pushed to you instead of asking.
- An error is a problem document (RFC 9457). Branch on its \`code\`, which stays; \`detail\` says what to do.
- A list has a page of items and \`nextCursor\`; give that as \`cursor\` to get the next page.
- [openapi.json](openapi.json) is this description for programs, such as generators of clients.
- An unknown path of the API gets 404 \`api.no_such_route\`, another method gets 405 \`api.method_not_allowed\`.
- A process serves only the routes of its roles (\`ROLES\`); the others get 404.`;
}

/** The first page of `/docs` on the gateway's side, in Markdown. */
export function introduceGatewaySide(url = "http://127.0.0.1:4000"): string {
  return `The booking gateway with its fifteen operations, the notification that it pushes when an airline changes an order, and the routes with which you control it: orders, changes, faults, recipients and deliveries.

## Authenticate

| What you call | What it takes |
|---|---|
| an operation, such as \`POST /AirReservationStatus\` | \`Authorization: <access token>\`, without a word such as Bearer before it, and \`x-api-key: <key>\` if the gateway has one |
| a route below \`/control\` | \`Authorization: Bearer <token>\` with \`GATEWAY_CONTROL_TOKEN\` of the server |
| \`/openapi.json\` | nothing |

## Your first request

Make an order and read its status. The credentials are those of the demo and of \`npx skedchange sandbox\`. Elsewhere, use your own address and credentials.

\`\`\`sh
curl -X POST ${url}/control/orders \\
  -H "Authorization: Bearer ${gatewayControlToken}" \\
  -H "Content-Type: application/json" \\
  -d '{"orderId": "FIRST1", "gdsBookingReferences": ["FIRSTA"]}'
curl -X POST ${url}/AirReservationStatus \\
  -H "Authorization: ${gatewayAccessToken}" \\
  -H "x-api-key: ${gatewayApiKey}" -H "Content-Type: application/json" \\
  -d '{"OrderStatusRQ": {"Query": {"OrderID": "FIRST1", "GdsBookingReference": ["FIRSTA"]}}}'
\`\`\`

## Where to go next

- *Operations*: read, accept and cancel. The header \`Prefer: handling=strict\` tells you what a stricter gateway would refuse.
- Have an airline change the order: \`POST /control/orders/{orderId}/changes\`. Who gets the notification: *Recipients*.
- An error of an operation stands as \`Errors\` below the response root. An error of \`/control\` is a problem document (RFC 9457) with a stable \`code\`.
- [openapi.json](openapi.json) is this description for programs, such as generators of clients.
- A process serves only the routes of its roles (\`ROLES\`); the others get 404.`;
}
