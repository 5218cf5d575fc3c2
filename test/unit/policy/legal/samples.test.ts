import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { interfaceDocument } from "../../../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../../../src/contract/notification.ts";
import { computeFacts } from "../../../../src/itinerary/facts.ts";
import { orderPartsOf } from "../../../../src/itinerary/facts-input.ts";
import { journeyChanges } from "../../../../src/itinerary/journey-changes.ts";
import { readProposal } from "../../../../src/itinerary/proposal.ts";
import { evaluateLegal } from "../../../../src/policy/legal/evaluate-legal.ts";
import { defaultLegalContext } from "../../../../src/policy/legal/legal-input.ts";

function assessSample(name: string) {
  const reading = readNotification(readFileSync(new URL(`../../../../samples/${name}`, import.meta.url)));
  if (!reading.ok) throw new Error(`${name} cannot be read.`);
  const { view } = reading;
  const orderId = view.orders[0]!.orderId;
  const proposal = readProposal(view, orderId)!;
  const input = {
    booked: proposal.current,
    accepted: proposal.current,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order: orderPartsOf(view, orderId),
    now: new Date("2026-11-21T00:00:00Z"),
  };
  return evaluateLegal({
    facts: computeFacts(input),
    journeys: journeyChanges(input),
    context: defaultLegalContext,
    now: input.now,
  });
}

test.each([
  ["ocn-minor-delay.json", "twenty minutes within the EU", false, []],
  ["ocn-cancelled.json", "a flight from India to the Emirates, where no preset that is on applies", false, []],
  ["ocn-misconnection.json", "a missed connection that moves neither end of the journey", false, []],
  ["ocn-flight-number-only.json", "a renumbered flight from London", true, ["uk-261 renumbered cannot-tell"]],
  [
    "ocn-replaced-by-two.json",
    "a nonstop flight from the EU that leaves 155 minutes earlier, with a connection",
    true,
    ["eu-261 brought-forward entitled", "eu-261 renumbered cannot-tell", "eu-261 rerouted cannot-tell"],
  ],
])("%s, %s: held %s", (name, _what, held, open) => {
  const { hold, verdicts } = assessSample(name);

  expect(hold.held).toBe(held);
  expect(
    verdicts
      .filter(({ right, verdict }) => right === "refund-or-rerouting" && verdict !== "not-entitled")
      .map(({ preset, trigger, verdict }) => `${preset} ${trigger} ${verdict}`),
  ).toEqual(open);
});
