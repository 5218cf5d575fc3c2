import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isGuessablePassword, isRepetition } from "../../../../src/dashboard/people/guessable-password.ts";
import { generatePassword } from "../../../../src/dashboard/people/password.ts";

const username = "maria.lopez";
const isGuessable = (password: string): boolean => isGuessablePassword(password, username);

describe("a password is guessable", () => {
  test.each([
    ["password1234"],
    ["123456789012"],
    ["qwertyuiop12"],
    ["P@ssw0rd2026!"],
    ["passwordpassword1"],
    ["Password@123456"],
    ["Welcome@12345"],
    ["Admin@1234567"],
    ["administrator1"],
    ["1q2w3e4r5t6y"],
    ["q1w2e3r4t5y6"],
    ["1qaz2wsx3edc"],
    ["zaq12wsxcde3"],
    ["qazwsxedcrfv"],
    ["qwerty123456"],
    ["azertyuiop123"],
    ["abcdefghijkl"],
    ["zyxwvutsrqpo"],
    ["147258369147"],
    ["112233445566"],
    ["198012311999"],
    ["iloveyou1234"],
    ["Ilovechelsea!!"],
    ["letmein-letmein-1"],
    ["Contraseña2026"],
    ["Motdepasse!123"],
    ["Summer2026!!!"],
    ["September2026"],
    ["Skedchange2026"],
    ["TravelAgency1!"],
    ["Lufthansa-2026"],
    ["MariaLopez2026"],
    ["lopez1234567"],
    ["maria.lopez.1"],
    ["sunshine flower"],
  ])("as %s is", (password) => {
    expect(isGuessable(password)).toBe(true);
  });

  const starts = fc.constantFrom("password", "Welcome", "QWERTY", "Summer", "dragon", "maria", "lopez", "skedchange");
  const joints = fc.constantFrom("", "-", "_", ".", " ", "!", "@");
  const ends = fc.oneof(
    fc.integer({ min: 1950, max: 2049 }).map((year) => `${year}`),
    fc.integer({ min: 4, max: 9 }).map((length) => "123456789".slice(0, length)),
    fc.integer({ min: 0, max: 9999 }).map((number) => `${number}`),
    fc.tuple(fc.constantFrom("!", "1", "x"), fc.integer({ min: 2, max: 6 })).map(([sign, times]) => sign.repeat(times)),
  );

  test("whichever common word or part of the user name a number, a year or a few signs follow", () => {
    fc.assert(
      fc.property(starts, joints, ends, (start, joint, end) => isGuessable(`${start}${joint}${end}`)),
      { numRuns: 1_000 },
    );
  });

  test("also if letters are written as signs, and wherever capitals are", () => {
    const spelled = fc
      .tuple(fc.constantFrom("password", "administrator", "welcome"), fc.infiniteStream(fc.nat(3)))
      .map(([word, choices]) =>
        [...word]
          .map((letter) => {
            const ways = { a: "@4A", e: "3EE", i: "1!I", o: "0OO", s: "$5S", t: "7+T" }[letter] ?? letter;
            const choice = choices.next().value!;
            return choice === 3 ? letter : (ways[choice] ?? letter);
          })
          .join(""),
      );

    fc.assert(
      fc.property(spelled, ends, (word, end) => isGuessable(`${word}${end}`)),
      { numRuns: 1_000 },
    );
  });

  test("wherever on a row of the keyboard two walks begin, in either direction", () => {
    const walk = fc
      .tuple(fc.constantFrom("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"), fc.nat(3), fc.boolean())
      .map(([row, from, isBackwards]) => {
        const part = row.slice(from);
        return isBackwards ? [...part].toReversed().join("") : part;
      });

    fc.assert(fc.property(walk, walk, (one, other) => isGuessable(`${one}${other}`)));
  });
});

describe("a password is not guessable", () => {
  test.each([
    ["a good password"],
    ["correct horse battery staple"],
    ["four gulls over the pier"],
    ["maria likes window seats"],
    ["contraseña de la abuela"],
    ["Wo ist mein Koffer geblieben?"],
    ["three trams to Alfama"],
    ["dragon under the summer bridge"],
    ["sunshine flower dragon"],
    ["kV7#mQz2Lp9x"],
    ["xkzvthqwjbnd"],
    ["🛫🛬🧳🎫🛂🛃🛅🛄🚏🚕🚖🚗"],
  ])("as %s is not", (password) => {
    expect(isGuessable(password)).toBe(false);
  });

  test("whichever four rare words make it up, however they are joined", () => {
    const words = ["gull", "tram", "quilt", "harbour", "violin", "thimble", "oregano", "walnut", "ferry", "meadow"];
    const chosen = fc.uniqueArray(fc.constantFrom(...words), { minLength: 4, maxLength: 4 });

    fc.assert(fc.property(chosen, fc.constantFrom(" ", "-", ""), (four, joint) => !isGuessable(four.join(joint))));
  });

  test("if it was generated", () => {
    for (let round = 0; round < 300; round += 1) expect(isGuessable(generatePassword())).toBe(false);
  });

  test("if its sixteen letters and digits are random", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    // Biased generation would produce the repetitions that are refused.
    const random = fc.noBias(fc.array(letter, { minLength: 16, maxLength: 16 })).map((letters) => letters.join(""));

    fc.assert(
      fc.property(random, (password) => !isGuessable(password)),
      { numRuns: 500 },
    );
  });
});

test("the judgement of the longest password takes no time that anybody notices", () => {
  const longest = "password1234qwertyuiopmaria.lopez2026".repeat(6).slice(0, 200);
  const before = process.cpuUsage();

  isGuessable(longest);

  expect(process.cpuUsage(before).user).toBeLessThan(500_000);
});

describe("a repetition", () => {
  test.each([
    ["lisbonlisbon", true],
    ["Lisbon-lisbon", true],
    ["abcdabcdabcd", true],
    ["elevenlettselevenletts", true],
    ["twelveletterTwelveletter", false],
    ["lisbon and lisbon", false],
    ["lettersandsignslet", false],
  ])("%s: %s", (password, expected) => {
    expect(isRepetition(password)).toBe(expected);
  });
});
