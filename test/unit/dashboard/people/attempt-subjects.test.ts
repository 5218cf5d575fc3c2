import { describe, expect, test } from "vitest";
import { attemptSubjects } from "../../../../src/dashboard/people/attempt-subjects.ts";

const at = (address: string, browserId: string | null = null) => ({ address, browserId });

describe("what failed sign-ins are counted for", () => {
  test("neighbours in one IPv6 network count as one", () => {
    expect(attemptSubjects("ann", at("2001:db8::1")).address).toEqual(
      attemptSubjects("bob", at("2001:db8::2")).address,
    );
  });

  test("a name that looks like an address is another thing", () => {
    const { username, address } = attemptSubjects("192.0.2.7", at("192.0.2.7"));

    expect(username).not.toEqual(address);
  });

  test("one name at two networks is two devices and one name", () => {
    const [here, there] = [attemptSubjects("ann", at("192.0.2.7")), attemptSubjects("ann", at("192.0.2.8"))];

    expect(here.device).not.toEqual(there.device);
    expect(here.username).toEqual(there.username);
  });

  test("one name in a browser that is known is one device wherever it is, and another one than at its network", () => {
    const [home, office] = ["192.0.2.7", "192.0.2.8"].map((address) => attemptSubjects("ann", at(address, "browser")));

    expect(home!.device).toEqual(office!.device);
    expect(home!.device).not.toEqual(attemptSubjects("ann", at("192.0.2.7")).device);
    expect(home!.device).not.toEqual(attemptSubjects("bob", at("192.0.2.7", "browser")).device);
  });

  test("what was typed cannot be read from it", () => {
    expect(attemptSubjects("my password by mistake", at("192.0.2.7")).username.toString("latin1")).not.toContain(
      "password",
    );
  });
});
