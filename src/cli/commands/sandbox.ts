import type { Command } from "commander";
import type { RunningServer } from "../../app/start-server.ts";
import { demoCredentials } from "../../config/demo-credentials.ts";
import type { Finish, Terminal } from "../terminal.ts";

/** Demo mode without an agency, so that nobody but the caller answers what airlines change. */
export function addSandboxCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("sandbox")
    .description("run a gateway to test your software against: simulated airlines, and no agency that answers for you")
    .addHelpText(
      "after",
      [
        "",
        "It is demo mode with ROLES=gateway,sender. It listens on this machine only, with credentials that everybody",
        "knows, and stores its orders in the folder sandbox-data (DATA_DIR). GATEWAY_PORT chooses its port, SUPPLY=none",
        "leaves out the simulated flights. docs/gateway.md describes what it can do.",
      ].join("\n"),
    )
    .action(async () => {
      const { serve } = await import("../../app/main.ts");
      finish(await serve({ environment: sandboxEnvironment(terminal.environment), introduce }));
    });
}

/** `PORT` serves only `/readyz` and `/metrics` here, so it must not take the port of the software under test. */
function sandboxEnvironment(environment: Terminal["environment"]): NodeJS.ProcessEnv {
  return {
    PORT: "0",
    DATA_DIR: "sandbox-data",
    ...environment,
    DEMO: "1",
    ROLES: "gateway,sender",
  };
}

/** Where the other commands look for a gateway without being told. */
const usualUrl = "http://127.0.0.1:4000";

function introduce({ gatewayUrl }: RunningServer): readonly string[] {
  const { gatewayAccessToken, gatewayApiKey, gatewayControlToken } = demoCredentials;
  const url = gatewayUrl ?? usualUrl;
  const at = url === usualUrl ? "" : ` --url ${url}`;
  return [
    "",
    `The sandbox is at ${url}. Nobody answers a change but your software.`,
    `  operations    Authorization: ${gatewayAccessToken}   x-api-key: ${gatewayApiKey}`,
    `  /control      Authorization: Bearer ${gatewayControlToken}`,
    `  pages         ${url}/ and ${url}/docs`,
    "",
    "Try, in other terminals:",
    `  npx skedchange listen${at}                            # or --forward-to <URL of your software>`,
    `  npx skedchange trigger retime --minutes 20${at}       # makes an order, and the airline changes it`,
    `  npx skedchange deliveries list${at}                   # who got the notification`,
    "Stop with Ctrl-C. The orders stay; the next start goes on from them.",
  ];
}
