import { describe, expect, test } from "vitest";
import { mailtoOf } from "../../../../src/dashboard/web/case/mailto.ts";

describe("a link that opens the mail program", () => {
  test("has each address with its @, and everything else encoded", () => {
    expect(mailtoOf(["ana@example.com"])).toBe("mailto:ana@example.com");
    expect(mailtoOf(["ana+trips@example.com", "o?b@example.com"])).toBe(
      "mailto:ana%2Btrips@example.com,o%3Fb@example.com",
    );
    expect(mailtoOf(['"ana@home"@example.com'])).toBe("mailto:%22ana%40home%22@example.com");
  });

  test("has a text that is no address without losing a sign of it", () => {
    expect(mailtoOf(["ana at example.com"])).toBe("mailto:ana%20at%20example.com");
  });

  test("has the subject and the body of a draft, of which each line ends with CR LF", () => {
    expect(mailtoOf(["ana@example.com"], { subject: "Your trip & more", body: "Hello\nAna" })).toBe(
      "mailto:ana@example.com?subject=Your%20trip%20%26%20more&body=Hello%0D%0AAna",
    );
  });
});
