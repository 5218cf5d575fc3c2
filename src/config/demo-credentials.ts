/**
 * Credentials of demo mode. They are printed at start and written here for everyone to read, so a process that is not in
 * demo mode refuses to start with any of them.
 */
export const demoCredentials = {
  basicUsername: "demo-gateway",
  basicPassword: "demo: pässword",
  bearerToken: "demo-bearer-token",
  apiToken: "demo-api-token",
  gatewayAccessToken: "demo-gateway-access-token",
  gatewayApiKey: "demo-gateway-api-key",
  gatewayControlToken: "demo-gateway-control-token",
} as const;
