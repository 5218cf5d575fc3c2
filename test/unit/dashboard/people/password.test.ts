import { scryptSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  describePasswordProblem,
  generatePassword,
  hashPassword,
  isPasswordOf,
  isSamePassword,
} from "../../../../src/dashboard/people/password.ts";

const common = "must not be made of common words, names, years, or sequences such as 1234 and qwerty";
const longPassphrase = "four gulls over the pier wait for bread ".repeat(5);

describe("a password", () => {
  test.each([
    ["eleven chars", "elevenchars", "must have at least 12 characters"],
    ["twelve characters", "twelve chars", null],
    ["twelve emoji are twelve characters", "🛫🛬🧳🎫🛂🛃🛅🛄🚏🚕🚖🚗", null],
    ["200 characters", longPassphrase, null],
    ["201 characters", `${longPassphrase}e`, "must have at most 200 characters"],
    ["three different characters", "abcabcabcabc", "must not repeat the same few characters"],
    ["the name twice", "mlopez-mlopez", "must not be made of the user name"],
    ["the name in capitals with a year", "MLOPEZmlopez2026", "must not be made of the user name"],
    ["one word again and again", "Lisbon-Lisbon", "must not be the same text again and again"],
    ["a common word and a sequence", "password1234", common],
    ["the name inside much more", "mlopez likes window seats", null],
  ])("of %s: %j", (_title, password, problem) => {
    expect(describePasswordProblem(password, "mlopez")).toBe(problem);
  });

  test("is stored as what scrypt makes of it, at the cost that OWASP names", async () => {
    const [, cost, salt = "", hash] = (await hashPassword("four gulls")).split("$");

    expect(cost).toBe("N=16384,r=8,p=5");
    const expected = scryptSync("four gulls", Buffer.from(salt, "base64"), 32, { N: 16_384, r: 8, p: 5 });
    expect(hash).toBe(expected.toString("base64"));
  });

  test("is known again by its hash, also typed with other code points for the same letters", async () => {
    const hash = await hashPassword("contraseña de María");

    expect(hash).toMatch(/^scrypt\$/);
    expect(await isPasswordOf(hash, "contraseña de María".normalize("NFD"), "192.0.2.7")).toBe(true);
    expect(await isPasswordOf(hash, "contrasena de Maria", "192.0.2.7")).toBe(false);
    expect(await isPasswordOf(hash, "", "192.0.2.7")).toBe(false);
  });

  test("counts to its last character", async () => {
    const hash = await hashPassword(longPassphrase);

    expect(await isPasswordOf(hash, `${longPassphrase.slice(0, -1)}!`, "192.0.2.7")).toBe(false);
    expect(await isPasswordOf(hash, longPassphrase, "192.0.2.7")).toBe(true);
  });

  test.each([
    ["with a blank behind it", "Nadel im Heuhaufen ", true],
    ["with blanks of other kinds", "Nadel\u00a0im\u2003Heuhaufen", true],
    ["without blanks", "NadelimHeuhaufen", true],
    ["in small letters", "nadel im heuhaufen", true],
    ["in full-width letters", "Ｎａｄｅｌ im Heuhaufen", true],
    ["with a character of no width", "Nadel im Heu\u200bhaufen", true],
    ["with another letter", "Nadel im Heuhaufem", false],
    ["with a letter more", "Nadel im Heuhaufens", false],
    ["with a digit instead of a blank", "Nadel1im1Heuhaufen", false],
  ])("%s is the same: %j", (_, other, isSame) => {
    expect(isSamePassword("Nadel im Heuhaufen", other)).toBe(isSame);
    expect(isSamePassword(other, "Nadel im Heuhaufen")).toBe(isSame);
  });

  test("that is generated is good enough and never the same", () => {
    const password = generatePassword();

    expect(password).toMatch(/^([a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
    expect(describePasswordProblem(password, "mlopez")).toBeNull();
    expect(generatePassword()).not.toBe(password);
  });
});
