import { describe, expect, test } from "vitest";
import { examineMailDomain } from "../../../src/app/examine-mail-domain.ts";

type Zone = Readonly<Record<string, readonly (string | readonly string[])[] | string>>;

/** Looks up names in a zone: TXT records, or the code of an error. */
async function examine(zone: Zone, selector: string | null = "key1") {
  const findings = await examineMailDomain("mail.agency.example", selector, async (name) => {
    const found = zone[name] ?? "ENOTFOUND";
    if (typeof found === "string") throw Object.assign(new Error(`queryTxt ${found} ${name}`), { code: found });
    return found.map((text) => (typeof text === "string" ? [text] : [...text]));
  });
  return Object.fromEntries(
    findings.map(({ subject, state, detail, advice = "" }) => [subject, { state, detail, advice }]),
  );
}

const sound: Zone = {
  "mail.agency.example": ["something=else", "v=spf1 include:spf.provider.example -all"],
  "key1._domainkey.mail.agency.example": [["v=DKIM1; k=rsa; p=MIIB", "IjANBg=="]],
  "_dmarc.agency.example": ["v=DMARC1; p=quarantine; rua=mailto:dmarc@agency.example"],
};

test("a domain with SPF, a key of DKIM and DMARC at its parent is found to have them, and no more is claimed", async () => {
  expect(await examine(sound)).toEqual({
    "mail SPF": {
      state: "ok",
      detail:
        "mail.agency.example says which servers may send its mail. Whether yours is among them, this does not check.",
      advice: "",
    },
    "mail DKIM": {
      state: "ok",
      detail:
        "There is a key at key1._domainkey.mail.agency.example. Whether your mail server signs with it, this does not check.",
      advice: "",
    },
    "mail DMARC": {
      state: "ok",
      detail: "_dmarc.agency.example says what receivers do with mail that fails these checks: quarantine.",
      advice: "",
    },
  });
});

describe("SPF", () => {
  test.each<[string, readonly string[], string]>([
    [
      "is missing where other texts stand",
      ["v=spf10 -all", "google-site-verification=1"],
      "does not say which servers",
    ],
    ["is an error where it stands twice", ["v=spf1 -all", "V=SPF1 ~all"], "has 2 SPF records"],
    ["lets everybody send with all", ["v=spf1 mx all"], "lets every server send"],
    ["lets everybody send with +all", ["v=spf1 +all"], "lets every server send"],
    ["lets everybody send with +all before another term", ["v=spf1 +all exp=x.example"], "lets every server send"],
  ])("%s", async (_, texts, detail) => {
    const found = (await examine({ ...sound, "mail.agency.example": texts }))["mail SPF"];
    expect(found).toMatchObject({ state: "warning", detail: expect.stringContaining(detail) });
    expect(found?.advice).not.toBe("");
  });

  test.each(["v=spf1", "v=spf1 mx ~all", "v=spf1 mx ?all", "v=spf1 redirect=_spf.provider.example"])(
    "is there with %s",
    async (text) => {
      expect((await examine({ ...sound, "mail.agency.example": [text] }))["mail SPF"]?.state).toBe("ok");
    },
  );
});

describe("DKIM", () => {
  const at = "key1._domainkey.mail.agency.example";

  test("is not examined without the name of the key, and the advice says where it stands", async () => {
    expect((await examine(sound, null))["mail DKIM"]).toMatchObject({
      state: "off",
      advice: expect.stringContaining("s="),
    });
  });

  test.each<[string, readonly string[] | string, string]>([
    ["has no key where the name does not exist", "ENOTFOUND", "There is no key"],
    ["has no key where the name has other texts", ["v=DKIM1; k=rsa"], "There is no key"],
    ["has no key where a record of another kind stands", ["v=DMARC1; p=none"], "There is no key"],
    ["has a revoked key where it is empty", ["v=DKIM1; p="], "is revoked"],
  ])("%s", async (_, texts, detail) => {
    const found = (await examine({ ...sound, [at]: texts }))["mail DKIM"];
    expect(found).toMatchObject({ state: "warning", detail: expect.stringContaining(detail) });
    expect(found?.advice).toContain("MAIL_DKIM_SELECTOR");
  });
});

describe("DMARC", () => {
  test("of the domain itself comes before that of its parent", async () => {
    const zone = { ...sound, "_dmarc.mail.agency.example": ["v=DMARC1;p=none"] };
    expect((await examine(zone))["mail DMARC"]?.detail).toContain(": none.");
  });

  test("is not looked for at the top-level domain", async () => {
    const zone = { ...sound, "_dmarc.agency.example": "ENODATA", "_dmarc.example": ["v=DMARC1; p=reject"] };
    expect((await examine(zone))["mail DMARC"]).toMatchObject({
      state: "warning",
      detail: "mail.agency.example does not say what receivers do with mail that only pretends to come from it.",
    });
  });

  test("of a parent says with sp what is done with mail of its subdomains", async () => {
    const zone = { ...sound, "_dmarc.agency.example": ["v = DMARC1; p=reject; sp=none"] };
    expect((await examine(zone))["mail DMARC"]?.detail).toContain(": none.");
  });

  test.each(["v=DMARC1; rua=mailto:dmarc@agency.example", "v=DMARC1; p=rejct"])(
    "that wants nothing known is named: %s",
    async (text) => {
      expect((await examine({ ...sound, "_dmarc.agency.example": [text] }))["mail DMARC"]?.state).toBe("warning");
    },
  );

  test.each(["v=dmarc1; p=reject", "v=DMARC2; p=reject"])("is not what another version says: %s", async (text) => {
    expect((await examine({ ...sound, "_dmarc.agency.example": [text] }))["mail DMARC"]?.detail).toContain(
      "does not say",
    );
  });

  test("counts as none where two records stand", async () => {
    const zone = { ...sound, "_dmarc.agency.example": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] };
    expect((await examine(zone))["mail DMARC"]?.detail).toContain("There are 2 DMARC records");
  });
});

test.each([
  ["mail SPF", "mail.agency.example"],
  ["mail DKIM", "key1._domainkey.mail.agency.example"],
  ["mail DMARC", "_dmarc.mail.agency.example"],
])("%s stays unknown where the name server does not answer", async (subject, name) => {
  expect((await examine({ ...sound, [name]: "ETIMEOUT" }))[subject]).toEqual({
    state: "off",
    detail: `Not examined, because it cannot be looked up (${name}: ETIMEOUT).`,
    advice: "",
  });
});
