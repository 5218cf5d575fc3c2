import { describe, expect, test } from "vitest";
import type { OrderContext } from "../../../src/cases/order-context.ts";
import { defaultStatusLagMs } from "../../../src/cases/timing.ts";
import {
  afterMs,
  anOrder,
  aReview,
  aSuccess,
  asBooked,
  cancelled,
  delay,
  taken,
  takenOtherwise,
  viewOf,
} from "../../builders/order-context.ts";
import { type Brief, briefAfter, settings, statusRead } from "../../builders/order-step.ts";
import { type OrderViewBody, withDeparture } from "../../builders/sample-notification.ts";

const another = withDeparture(delay, "07:25:00");

type Changes = NonNullable<Parameters<typeof anOrder>[0]>;
/** Done by an accept of the delay. */
const done = (changes: Changes = {}) => anOrder({ lastSuccess: aSuccess(), case: { state: "done" }, ...changes });
const doneByCancel = done({ lastSuccess: aSuccess({ action: "cancel" }, cancelled) });
/** Ended by a person, who was asked about the delay. */
const closed = (changes: Changes = {}) => anOrder({ decision: aReview(), case: { state: "closed" }, ...changes });
const elsewhere = (decidedBy: string) =>
  anOrder({ decision: aReview({ decidedBy }), case: { state: "resolved-elsewhere" } });
const notifiedOf = (body: OrderViewBody) => ({ notification: viewOf(body) });

const nothing = { id: "no-new-work", next: "unchanged", dueInMs: null, queue: null };
const later = { ...nothing, dueInMs: defaultStatusLagMs };
const anotherCase = { id: "next-case", next: "decided" };

describe("a finished case that is notified again", () => {
  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["and shows what was accepted has nothing to do", done(), taken, nothing],
    ["and still shows what was accepted is read again", done(), delay, later],
    ["and still shows what was cancelled is read again", doneByCancel, cancelled, later],
    ["and shows another change opens a case", done(), another, anotherCase],
    ["and shows other flights than were accepted opens a case", done(), takenOtherwise, anotherCase],
    ["and shows the flights from before is read again", done(), asBooked, later],
    ["and tells what was accepted has nothing to do", done(notifiedOf(delay)), taken, nothing],
    ["and tells what the status does not show is read again", done(notifiedOf(another)), taken, later],
    ["and a person closed it has nothing to do", closed(), delay, nothing],
    ["and a person closed it, but another change is shown, opens a case", closed(), another, anotherCase],
    ["and a person closed it, but another change is told, is read again", closed(notifiedOf(another)), delay, later],
    ["and a person settled it elsewhere has nothing to do", elsewhere("person:ana"), delay, nothing],
    ["and was settled elsewhere, and is open again, opens a case", elsewhere("policy"), delay, anotherCase],
  ])("%s", (_, context, body, brief) => {
    expect(briefAfter(context, statusRead("recheck-finished", body))).toMatchObject(brief);
  });

  test.each<[string, OrderContext, OrderViewBody, Partial<Brief>]>([
    ["and still shows what was accepted opens a case", done(), delay, anotherCase],
    ["and shows the flights from before opens a case", done(), asBooked, anotherCase],
    ["and tells what the status does not show has nothing to do", done(notifiedOf(another)), taken, nothing],
  ])("%s once no status can be that old", (_, context, body, brief) => {
    const at = (ms: number) =>
      briefAfter(context, statusRead("recheck-finished", body), settings, afterMs(defaultStatusLagMs + ms));
    expect(at(-1)).toMatchObject(later);
    expect(at(0)).toMatchObject(brief);
  });

  test("and whose other flights a person was asked about in another case has nothing to do", () => {
    const lastSuccess = aSuccess({ otherFlightsAskedIn: "case-2" });
    expect(briefAfter(done({ lastSuccess }), statusRead("recheck-finished", takenOtherwise))).toMatchObject(nothing);
  });
});
