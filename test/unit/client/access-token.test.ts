import { describe, expect, test } from "vitest";
import { createAccessToken } from "../../../src/client/access-token.ts";
import { Secret } from "../../../src/kernel/secret.ts";

describe("an access token from a source", () => {
  test("is fetched once, however many ask at the same time and later", async () => {
    const source = aSource();
    const token = createAccessToken(source.next);

    const [first, second] = await Promise.all([token.get(), token.get()]);

    expect(second).toBe(first);
    expect(await token.get()).toBe(first);
    expect(source.asked).toEqual([null]);
  });

  test("is fetched again once when it is refused, however many say so", async () => {
    const source = aSource();
    const token = createAccessToken(source.next);
    const old = await token.get();

    token.refuse(old);
    token.refuse(old);
    const [first, second] = await Promise.all([token.get(), token.get()]);
    token.refuse(old);

    expect(first.reveal()).toBe("token-2");
    expect(second).toBe(first);
    expect(await token.get()).toBe(first);
    expect(source.asked).toEqual([null, old]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("down"))],
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
  ])("is asked for anew after a source that %s", async (_, fail) => {
    let attempts = 0;
    const token = createAccessToken(() => {
      attempts += 1;
      return attempts === 1 ? fail() : Promise.resolve(new Secret("here"));
    });

    await expect(token.get()).rejects.toThrow("down");

    expect((await token.get()).reveal()).toBe("here");
  });
});

test("a fixed access token stays as it is", async () => {
  const secret = new Secret("fixed");
  const token = createAccessToken(secret);

  token.refuse(secret);

  expect(await token.get()).toBe(secret);
  expect(token.isRenewable).toBe(false);
});

function aSource() {
  const asked: (Secret | null)[] = [];
  const next = async (refused: Secret | null): Promise<Secret> => {
    asked.push(refused);
    return new Secret(`token-${asked.length}`);
  };
  return { asked, next };
}
