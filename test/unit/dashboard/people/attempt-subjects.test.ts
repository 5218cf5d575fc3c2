import { describe, expect, test } from "@jest/globals";
import { attemptSubjects } from "../../../../src/dashboard/people/attempt-subjects.ts";

describe("what failed sign-ins are counted for", () => {
  test("neighbours in one IPv6 network count as one", () => {
    expect(attemptSubjects("ann", "2001:db8::1").address).toEqual(attemptSubjects("bob", "2001:db8::2").address);
  });

  test("a name that looks like an address is another thing", () => {
    const { username, address } = attemptSubjects("192.0.2.7", "192.0.2.7");

    expect(username).not.toEqual(address);
  });

  test("one name at two networks is two devices and one name", () => {
    const [here, there] = [attemptSubjects("ann", "192.0.2.7"), attemptSubjects("ann", "192.0.2.8")];

    expect(here.device).not.toEqual(there.device);
    expect(here.username).toEqual(there.username);
  });

  test("what was typed cannot be read from it", () => {
    expect(attemptSubjects("my password by mistake", "192.0.2.7").username.toString("latin1")).not.toContain(
      "password",
    );
  });
});
