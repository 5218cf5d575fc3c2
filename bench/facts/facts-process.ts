// The computing parts of a decision, each in a loop of its own, without a database and without a gateway.
import { type ComparedPolicies, evaluateEncrypted } from "../../src/app/backtest/evaluate-batch.ts";
import { evaluateNotification } from "../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, readPolicyText } from "../../src/app/policy-file.ts";
import { interfaceDocument } from "../../src/contract/gateway-capabilities.ts";
import { readNotification } from "../../src/contract/notification.ts";
import { computeFacts } from "../../src/itinerary/facts.ts";
import { orderPartsOf } from "../../src/itinerary/facts-input.ts";
import { readProposal } from "../../src/itinerary/proposal.ts";
import { createEncryptionKey, readEncryptionKeys } from "../../src/kernel/encryption-keys.ts";
import { createTally, defaultBacktestSettings } from "../../src/policy/backtest.ts";
import { createEncryption, type Encrypted } from "../../src/store/database/encryption.ts";
import { notificationPlace } from "../../src/store/notifications/notification-reader.ts";
import { allSamples } from "../notifications.ts";
import { serveCalls } from "../remote-process.ts";
import { aLargeOrder } from "./large-order.ts";

/** So many that nothing is measured about one body only, and that they fit into memory. */
const orders = 500;

const now = new Date();
const samples = allSamples();
const bodies = Array.from({ length: orders }, (_, order) => samples.bodyOf(order));
const largeBodies = [aLargeOrder()];
const shipped = readPolicyFile(null);
// The same policy, which asks a person about what it accepted.
const policies: ComparedPolicies = {
  before: shipped.policy,
  after: readPolicyText(shipped.text.replaceAll("do: accept", "do: review"), "draft"),
};
const keys = readEncryptionKeys(createEncryptionKey(now));
if (!keys.ok) throw new Error(keys.problem);
const encryption = createEncryption(keys.keys);
const encrypted: Encrypted[] = [];

/** Each does its work on one order and returns a number that it cannot know without having done it. */
const stages = {
  parse: (index: number): number => {
    const { OrderViewRS } = JSON.parse(bodies[index]!.toString("utf8")) as { OrderViewRS: { Order: unknown[] } };
    return OrderViewRS.Order.length;
  },

  facts: (index: number): number => countChangedFlights(bodies[index]!),

  factsOfLargeOrder: (): number => countChangedFlights(largeBodies[0]!),

  decision: (index: number): number => {
    const judged = evaluateNotification({ body: bodies[index]!, source: "default", now, statusBody: null }, [
      shipped.policy,
    ]);
    if (!judged.ok) throw new Error(judged.message);
    return judged.orders.filter(({ verdicts }) => verdicts[0]?.action === "accept").length;
  },

  backtest: async (index: number): Promise<number> => {
    const tally = createTally();
    const row = { id: String(index), source: "default", now, ...encrypted[index]! };
    await evaluateEncrypted(tally, [row], encryption, policies, defaultBacktestSettings);
    return tally.flipped;
  },
};
export type Stage = keyof typeof stages;

function countChangedFlights(body: Buffer): number {
  const reading = readNotification(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  const { view } = reading;
  const { orderId } = view.orders[0]!;
  const proposal = readProposal(view, orderId)!;
  const { current: booked } = proposal;
  const order = orderPartsOf(view, orderId);
  const input = {
    booked,
    accepted: booked,
    proposal,
    passengers: view.passengers,
    gateway: interfaceDocument,
    order,
    notified: { ...order, flights: proposal },
    baseline: "notice",
    now,
  } as const;
  const { changedFlightCount } = computeFacts(input);
  return changedFlightCount.known ? changedFlightCount.value : Number.NaN;
}

const calls = {
  async prepare(): Promise<void> {
    for (const [index, body] of bodies.entries()) {
      encrypted.push(await encryption.encrypt(body, notificationPlace(String(index))));
    }
  },

  /** Goes through the orders again and again, every sample as often as the others, until the time is over. */
  async run({ stage, seconds }: { readonly stage: Stage; readonly seconds: number }) {
    const work = stages[stage];
    let [count, sum] = [0, 0];
    const startedAt = performance.now();
    do {
      for (let turn = 0; turn < samples.count; turn += 1) {
        sum += await work(count % orders);
        count += 1;
      }
    } while (performance.now() - startedAt < seconds * 1_000);
    return { count, sum, seconds: (performance.now() - startedAt) / 1_000 };
  },
};
export type FactsCalls = typeof calls;
serveCalls(calls);
