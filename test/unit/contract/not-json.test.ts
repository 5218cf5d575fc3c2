import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { notJson } from "../../../src/contract/not-json.ts";

const view = '{"OrderViewRS":{"Order":[{"OrderID":"MÜ1"}]}}';

describe("a body that is not JSON in UTF-8 is described by what it is", () => {
  test.each<[string, Buffer, string]>([
    ["nothing", Buffer.alloc(0), "It is empty. Send the order view."],
    ["blanks", Buffer.from(" \r\n"), "It is empty. Send the order view."],
    ["XML", Buffer.from('<?xml version="1.0"?><OrderViewRS/>'), "It is XML. Send the order view as JSON."],
    ["XML after a mark", Buffer.from("\ufeff\n <soap:Envelope/>"), "It is XML. Send the order view as JSON."],
    ["HTML", Buffer.from("<!DOCTYPE html><html>"), "It is HTML. Send the order view as JSON."],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${view}`, "utf16le"), "It is in UTF-16. Send it in UTF-8."],
    ["UTF-16 without one", Buffer.from(view, "utf16le"), "It is in UTF-16. Send it in UTF-8."],
    ["UTF-16, swapped", Buffer.from(`\ufeff${view}`, "utf16le").swap16(), "It is in UTF-16. Send it in UTF-8."],
    ["UTF-32", Buffer.from("fffe00007b000000", "hex"), "It is in UTF-32. Send it in UTF-8."],
    ["Latin-1", Buffer.from(view, "latin1"), "It is JSON in another character encoding. Send it in UTF-8."],
    [
      "gzip",
      gzipSync(view),
      "It is compressed with gzip. Send it as it is, or compressed once with Content-Encoding: gzip.",
    ],
    ["a form", Buffer.from(`payload=${encodeURIComponent(view)}`), "It is a form. Send the JSON itself as the body."],
    [
      "a form of parts",
      Buffer.from('--b1\r\nContent-Disposition: form-data; name="ocn"\r\n\r\n{}\r\n--b1--'),
      "It is a form of several parts. Send the JSON itself as the body.",
    ],
    ["base64", Buffer.from(Buffer.from(view).toString("base64")), "It is JSON in base64. Send the JSON itself."],
    [
      "lines of JSON",
      Buffer.from(`${view}\n${view}\n`),
      "It is several JSON texts, one after the other. Send each by itself, or all in one list.",
    ],
  ])("%s", (_, body, description) => {
    expect(notJson(body)).toEqual({
      code: "ocn.not_json",
      path: "",
      message: `The body is not JSON in UTF-8. ${description}`,
    });
  });

  test.each(["order changed", '{"Order":', "\u0001\u0002\u0003", "}", "'{}'"])(
    "but not %j, of which nothing is known",
    (text) => {
      expect(notJson(Buffer.from(text)).message).toBe("The body is not JSON in UTF-8.");
    },
  );
});
