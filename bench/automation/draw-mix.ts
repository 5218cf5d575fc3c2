import { type ChangeRequest, changeRequestSchema } from "../../src/gateway/change-request.ts";
import { notificationBody, statusBody } from "../../src/gateway/order-view-body.ts";
import type { GatewayOrder } from "../../src/gateway/ports.ts";
import { proposeChange } from "../../src/gateway/propose-change.ts";
import type { ChangeKind } from "../../src/policy/automation-report.ts";
import { type RandomNumbers, randomNumbers } from "../../test/builders/random-numbers.ts";
import { type Dialect, shownBy, spelledBy } from "./dialects.ts";
import { canChange, drawChange } from "./draw-change.ts";
import { drawTrip } from "./draw-trip.ts";
import type { Mix, MixedChange } from "./read-mix.ts";
import type { Truth } from "./truth.ts";

/** One change of the mix. The same seed and index make the same bytes, whatever else is drawn. */
export interface MixedCase {
  readonly seed: number;
  readonly index: number;
  readonly orderId: string;
  readonly kind: ChangeKind;
  readonly truth: Truth;
  bodies(dialect: Dialect): CaseBodies;
}

/** What a gateway sends about one change. */
export interface CaseBodies {
  readonly notification: Uint8Array;
  /** The response of AirReservationStatus, read right after it. */
  readonly status: Uint8Array;
}

/** The changes of a mix, from the first on, each drawn when it is asked for. */
export async function* drawMix(mix: Mix, seed: number, count: number): AsyncGenerator<MixedCase> {
  for (let index = 0; index < count; index += 1) yield await drawCase(mix, seed, index);
}

/** The change at that position of a mix. */
export async function drawCase(mix: Mix, seed: number, index: number): Promise<MixedCase> {
  const random = randomNumbers(numberOf(seed, index));
  const change = kindAt(mix, seed, index);
  const orderId = `MIX${String(seed).padStart(3, "0")}${String(index).padStart(6, "0")}`;
  const { order, ...trip } = await drawTrip(random, mix, {
    orderId,
    roundTrip: change.kind === "times of several flights" ? true : null,
    fits: (booked) => canChange(change, booked),
  });
  const { request, proposed, acceptOffered } = drawChange(random, mix, change, trip.booked);
  const now = Date.parse(mix.now);
  return {
    seed,
    index,
    orderId,
    kind: change.kind,
    truth: { now, ...trip, proposed, acceptOffered },
    bodies: (dialect) => render(order, request, dialect, index),
  };
}

/** Every hundred changes have each kind exactly as often as its share says, in an order of their own. */
function kindAt({ changes }: Mix, seed: number, index: number): MixedChange {
  const hundred = changes.flatMap((change) => Array<MixedChange>(change.share).fill(change));
  const shuffled = shuffle(hundred, randomNumbers(numberOf(seed, -1 - Math.floor(index / 100))));
  return shuffled[index % 100]!;
}

function shuffle<T>(items: readonly T[], random: RandomNumbers): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(random.integer(left.length), 1)[0]!);
}

/** Numbers beside each other give generators that have nothing to do with each other. */
function numberOf(seed: number, index: number): number {
  return Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
}

function render(order: GatewayOrder, request: ChangeRequest, dialect: Dialect, index: number): CaseBodies {
  const changed = proposeChange(order, changeRequestSchema.parse(shownBy(dialect, request, index)), changeId);
  const bytes = (body: unknown): Uint8Array => Buffer.from(JSON.stringify(spelledBy(dialect, body)));
  return {
    notification: bytes(JSON.parse(notificationBody(changed).toString("utf8"))),
    status: bytes(JSON.parse(JSON.stringify(statusBody(changed, undefined)))),
  };
}

const changeId = "01890000-0000-7000-8000-000000000001";
