/**
 * What reading a notification costs, in multiples of `JSON.parse` of the same bytes: on the receiver's path (which orders
 * it names, or why it is unusable) and on the worker's (the whole order view, normalised). The ratios are medians of pairs
 * measured one right after the other, so that they hold on a busy machine; the microseconds belong to the machine.
 *
 * The limits hold for what gateways send. The last body is none of that: it shows what long numbers cost where they stand
 * closer together than in any notification.
 *
 *     npm run bench:contract -- [rounds]
 */
import { readdirSync, readFileSync } from "node:fs";
import { readNotification } from "../src/contract/notification.ts";
import { readNotifiedOrders } from "../src/contract/notified-orders.ts";

/** What the two paths may cost. */
const limits = { receiver: 2, worker: 4 };

const rounds = Number(process.argv[2] ?? 2_000);
/** Few, so that most turns end before the scheduler takes the processor away. */
const callsPerTurn = 3;
const warmUpRounds = 500;

/** Put in as text; what follows the mark becomes a number. */
const longNumber = "@1724067361311310318";

interface Body {
  readonly name: string;
  readonly bytes: Buffer;
}

const samples = new URL("../samples/", import.meta.url);
const sampleBodies = readdirSync(samples).map((name) => ({ name, bytes: readFileSync(new URL(name, samples)) }));
const bodies: readonly Body[] = [...sampleBodies, ...variantsOf(largest(sampleBodies))];

const rows = bodies.map(measure);
console.log(`${rounds} rounds of ${callsPerTurn} calls; allowed: receiver ${limits.receiver}, worker ${limits.worker}`);
console.table(rows);

function measure({ name, bytes }: Body): object {
  const parse = (): unknown => JSON.parse(bytes.toString("utf8"));
  const receive = (): unknown => readNotifiedOrders(bytes);
  const work = (): unknown => readNotification(bytes);
  const costs = { parse: [] as number[], receiver: [] as number[], worker: [] as number[] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const parsing = microsecondsOf(parse);
    const receiving = microsecondsOf(receive);
    const parsingAgain = microsecondsOf(parse);
    const working = microsecondsOf(work);
    if (round < 0) continue;
    costs.parse.push(parsing);
    costs.receiver.push(receiving / parsing);
    costs.worker.push(working / parsingAgain);
  }
  return {
    body: name,
    bytes: bytes.length,
    "JSON.parse, µs": Number(median(costs.parse).toFixed(1)),
    "receiver, ×": Number(median(costs.receiver).toFixed(2)),
    "worker, ×": Number(median(costs.worker).toFixed(2)),
  };
}

function microsecondsOf(call: () => unknown): number {
  const startedAt = performance.now();
  for (let count = 0; count < callsPerTurn; count += 1) call();
  return ((performance.now() - startedAt) * 1000) / callsPerTurn;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function largest(candidates: readonly Body[]): Body {
  return candidates.reduce((one, other) => (other.bytes.length > one.bytes.length ? other : one));
}

/** The same notification in spellings that cost more to read. */
function variantsOf({ bytes }: Body): readonly Body[] {
  const text = bytes.toString("utf8");
  const lowerCaseKeys = text.replaceAll(/"\w+":/g, (key) => key.toLowerCase());
  return [
    { name: "its keys in lower case", bytes: Buffer.from(lowerCaseKeys) },
    { name: "one letter beyond Latin-1", bytes: Buffer.from(text.replace('"Name":"', '"Name":"Ł')) },
    { name: "one number of 19 digits", bytes: Buffer.from(text.replace(/"(\d{19})"/, "$1")) },
    {
      name: "every third field a long number",
      bytes: Buffer.from(JSON.stringify(JSON.parse(text), everyThird(longNumber)).replaceAll(/"@(\d+)"/g, "$1")),
    },
  ];
}

/** A replacer that puts a value in the place of every third text but the ids that make the body usable. */
function everyThird(replacement: string): (key: string, value: unknown) => unknown {
  let count = 0;
  return (key, value) => {
    if (typeof value !== "string" || key === "OrderID") return value;
    count += 1;
    return count % 3 === 0 ? replacement : value;
  };
}
