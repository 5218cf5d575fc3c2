// Reads an order and accepts its change, if the airline allows that. From docs/client.md.
import { createGatewayClient, GatewayError, Secret } from "@skedchange/client";

const client = createGatewayClient({
  baseUrl: process.env["GATEWAY_URL"] ?? "http://127.0.0.1:4000",
  accessToken: new Secret(process.env["GATEWAY_TOKEN"] ?? "demo-gateway-access-token"),
  apiKey: new Secret(process.env["GATEWAY_KEY"] ?? "demo-gateway-api-key"),
  envelope: { agencyName: "Example Travel", contactEmails: ["desk@travel.example"] },
});
const order = { orderId: "MINE1", gdsBookingReferences: ["MINEA1"] };

try {
  const { result: view } = await client.airReservationStatus(order);
  const flag = view.orders[0]?.flags.accept;
  if (flag?.known && flag.value === "Y") {
    const { result: results } = await client.airOrderInvoluntaryAccept(order);
    for (const { status, errorMessage } of results) console.log("accept:", status, errorMessage);
  } else {
    console.log("nothing to accept");
  }
} catch (error) {
  if (!(error instanceof GatewayError)) throw error;
  if (error.phase === "before-sending") console.error("not sent:", error.message);
  else if (error.phase === "responded") console.error("refused:", error.message, error.businessCode?.advice ?? "");
  else console.error("unknown: read the status before anything else:", error.message);
  process.exitCode = 1;
} finally {
  await client.close();
}
