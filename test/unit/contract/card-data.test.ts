import { describe, expect, test } from "vitest";
import { cardMembers, maskCardData } from "../../../src/contract/card-data.ts";
import { notificationExample } from "../../builders/examples.ts";

function maskedText(text: string): string {
  return Buffer.from(maskCardData(Buffer.from(text)).bytes).toString();
}

describe("masking card data", () => {
  test.each([
    ['{"CardNumber":"4111111111111111"}', '{"CardNumber":"****************"}'],
    ['{"CardNumber": "4111 1111-1111 1111"}', '{"CardNumber": "*******************"}'],
    ['{"CardNumber":"VI4111111111111111"}', '{"CardNumber":"******************"}'],
    ['{"CardNumber"\n:\t4111111111111111,"a":1}', '{"CardNumber"\n:\t0               ,"a":1}'],
    ['{"CardNumber":"\\u0034111111111111111"}', '{"CardNumber":"*********************"}'],
    ['{"cardNumber":"4111111111111111"}', '{"cardNumber":"****************"}'],
    ['{"Name":"Müller","SERIESCODE":"123"}', '{"Name":"Müller","SERIESCODE":"***"}'],
    ['{"SeriesCode":"123"}', '{"SeriesCode":"***"}'],
    ['{"SeriesCode":1234}', '{"SeriesCode":0   }'],
    ['{"SeriesCode":"CVV 123"}', '{"SeriesCode":"*******"}'],
    [
      '{"CardNumber":["4111111111111111",{"a":"5500005555555559"}],"b":"4111111111111111"}',
      '{"CardNumber":["****************",{"a":"****************"}],"b":"4111111111111111"}',
    ],
    [
      '{"CardNumber":"4111111111111111","x":{"CardNumber":"4111111111111111"}}',
      '{"CardNumber":"****************","x":{"CardNumber":"****************"}}',
    ],
    ['{"CardNumber":"4111111111111111', '{"CardNumber":"****************'],
  ])("makes %s into %s", (given, expected) => {
    expect(maskedText(given)).toBe(expected);
  });

  test.each([
    ['{"CardNumber":"card_number_5f1c0d9e7a32b846","SeriesCode":"cvv_5f1c0d9e7a32b846"}'],
    ['{"CardNumber":"411111XXXXXX1111","SeriesCode":""}'],
    ['{"CardNumber":null,"SeriesCode":null}'],
    ['{"TicketDocNbr":"2202100000001","Card":"4111111111111111"}'],
    ['{"Text":"CardNumber","Other":"4111111111111111"}'],
    ['{"a":"\\"CardNumber\\" 4111111111111111"}'],
    ['{"CardNumber"'],
    ['{"CardNumber":'],
    ['{"CardNumber":{'],
  ])("leaves %s, the very same bytes", (given) => {
    const bytes = Buffer.from(given);

    expect(maskCardData(bytes)).toEqual({ bytes, masked: [] });
    expect(maskCardData(bytes).bytes).toBe(bytes);
  });

  test.each([
    ["12 digits", "123456789012", true],
    ["11 digits", "12345678901", false],
  ])("masks a card number of %s: %s, %s", (_, number, isMasked) => {
    expect(maskCardData(Buffer.from(`{"CardNumber":"${number}"}`)).masked.length === 1).toBe(isMasked);
  });

  test("changes a copy, with the same length, and the rest stays as it is", () => {
    const text = JSON.stringify({ Name: "Müller", CardNumber: "4111111111111111", SeriesCode: "737" });
    const bytes = Buffer.from(text);

    const { bytes: stored, masked } = maskCardData(bytes);

    expect(masked).toEqual(["CardNumber", "SeriesCode"]);
    expect(bytes.toString()).toBe(text);
    expect(stored).toHaveLength(bytes.length);
    expect(JSON.parse(Buffer.from(stored).toString())).toEqual({
      Name: "Müller",
      CardNumber: "*".repeat(16),
      SeriesCode: "***",
    });
  });

  test("knows members that the contract has, and leaves its example", () => {
    const example = JSON.stringify(notificationExample);

    for (const member of cardMembers) expect(example).toContain(`"${member}"`);
    expect(maskCardData(Buffer.from(example)).masked).toEqual([]);
  });
});
