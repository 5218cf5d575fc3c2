/** Public credentials of demo mode. Outside demo mode a process refuses to start with any of them. */
export const demoCredentials = {
  basicUsername: "demo-gateway",
  basicPassword: "demo: pässword",
  bearerToken: "demo-bearer-token",
  oauthClientId: "demo-gateway-client",
  oauthClientSecret: "demo-oauth-client-secret",
  apiToken: "demo-api-token",
  gatewayAccessToken: "demo-gateway-access-token",
  gatewayApiKey: "demo-gateway-api-key",
  gatewayControlToken: "demo-gateway-control-token",
} as const;

/** One demo user per role. */
export const demoUsers = [
  { username: "demo-viewer", displayName: "Demo viewer", role: "viewer", password: "viewer-of-the-demo" },
  { username: "demo-agent", displayName: "Demo agent", role: "agent", password: "agent-of-the-demo" },
  {
    username: "demo-supervisor",
    displayName: "Demo supervisor",
    role: "supervisor",
    password: "supervisor-of-the-demo",
  },
  { username: "demo-admin", displayName: "Demo admin", role: "admin", password: "admin-of-the-demo" },
] as const;
