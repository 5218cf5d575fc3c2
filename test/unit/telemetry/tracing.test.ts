import { expect, test } from "vitest";
import { readTraceparent, writeTraceparent } from "../../../src/telemetry/tracing.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";

test.each([
  ["01", true],
  ["00", false],
  ["03", true],
])("a traceparent with the flags %s is read", (flags, isSampled) => {
  expect(readTraceparent(`00-${traceId}-${spanId}-${flags}`)).toEqual({ traceId, spanId, isSampled });
});

test("what is written can be read", () => {
  for (const isSampled of [true, false]) {
    const context = { traceId, spanId, isSampled };
    expect(readTraceparent(writeTraceparent(context))).toEqual(context);
  }
});

test.each([
  "",
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${"0".repeat(32)}-${spanId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}`,
  null,
  [`00-${traceId}-${spanId}-01`],
])("%j is no traceparent", (text) => {
  expect(readTraceparent(text)).toBeNull();
});
