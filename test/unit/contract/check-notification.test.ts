import { expect, test } from "vitest";
import { checkNotification } from "../../../src/contract/check-notification.ts";
import { sampleNotification } from "../../builders/sample-notification.ts";

function checkWithOwner(owner: string) {
  const body = sampleNotification("minor-delay");
  body.OrderViewRS.Order[0]!["Owner"] = owner;
  return checkNotification(Buffer.from(JSON.stringify(body)));
}

test.each(["LH", "lh", "6E", "DLH"])("a notification may be sent for the airline %s", (owner) => {
  expect(checkWithOwner(owner)).toMatchObject({ ok: true, airline: owner.toUpperCase() });
});

test.each(["L", "LUFT", "L\u001b", "ﬁ", "=1"])("a notification whose Owner is %j is not sent: no airline", (owner) => {
  expect(checkWithOwner(owner)).toMatchObject({
    ok: false,
    problems: [{ code: "ocn.no_owner", path: "/OrderViewRS/Order/0/Owner" }],
  });
});
