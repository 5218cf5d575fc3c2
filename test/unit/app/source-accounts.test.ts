import { expect, test } from "vitest";
import { openSourceAccounts } from "../../../src/app/source-accounts.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";
import { silentLogger } from "../../../src/telemetry/logger.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { noTracer } from "../../../src/telemetry/tracing.ts";

test("an API key that no header can carry stops the start, and the error names the source and the setting", () => {
  const loaded = loadSettings(
    {
      ROLES: "worker",
      GATEWAY_BASE_URL: "https://gateway.example/air",
      GATEWAY_ACCESS_TOKEN: "0123456789abcdef",
      GATEWAY_API_KEY: "key-\u{1f511}",
      API_TOKEN: "a-token-that-is-long-enough-for-the-checks",
    },
    () => "",
  );
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const parts = {
    logger: silentLogger,
    metrics: createMetrics(),
    tracer: noTracer,
    gatewayUrl: null,
    circuit: { failuresMax: 5, openMs: 1_000 },
  };

  expect(() => openSourceAccounts(loaded.configuration, parts)).toThrow(
    expect.objectContaining({
      code: "config.invalid",
      message: expect.stringMatching(
        /^The gateway of source default cannot be called\. The option apiKey .*GATEWAY_API_KEY/,
      ),
    }),
  );
});
