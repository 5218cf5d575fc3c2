import type { promises as dns } from "node:dns";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { type Finding, off, ok, warning } from "./finding.ts";

export type ResolveTxt = (typeof dns)["resolveTxt"];

/**
 * Whether receivers of mail can check that it comes from the domain that it names: large mailbox providers refuse mail, or
 * file it as spam, without SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489; its successor, DMARCbis, looks at each parent
 * instead of a list of public suffixes).
 * @param dkimSelector the name of the key with which the mail server signs; null: not known
 */
export async function examineMailDomain(
  domain: string,
  dkimSelector: string | null,
  resolveTxt: ResolveTxt,
): Promise<Finding[]> {
  const lookUp = (name: string): Promise<Records> => readRecords(name, resolveTxt);
  return await Promise.all([
    examineSpf(domain, lookUp),
    examineDkim(domain, dkimSelector, lookUp),
    examineDmarc(domain, lookUp),
  ]);
}

/** The texts of a name, or why they are not known. */
type Records = { readonly texts: readonly string[] } | { readonly failure: string };
type LookUp = (name: string) => Promise<Records>;

async function readRecords(name: string, resolveTxt: ResolveTxt): Promise<Records> {
  try {
    // A text of more than 255 bytes stands in several strings.
    return { texts: (await resolveTxt(name)).map((strings) => strings.join("")) };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOTFOUND" || code === "ENODATA"
      ? { texts: [] }
      : { failure: `${name}: ${code ?? messageOf(error)}` };
  }
}

async function examineSpf(domain: string, lookUp: LookUp): Promise<Finding> {
  const subject = "mail SPF";
  const found = await lookUp(domain);
  if ("failure" in found) return notLookedUp(subject, found.failure);
  // RFC 7208, 4.5 and 4.6.4.
  const policies = found.texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [policy = ""] = policies;
  if (policies.length === 0) {
    const advice = `Publish a TXT record at ${domain}: your mail provider says which, such as "v=spf1 include:… -all".`;
    return warning(subject, `${domain} does not say which servers may send its mail.`, { advice });
  }
  if (policies.length > 1) {
    const advice = "Join them into one record: receivers take several for an error.";
    return warning(subject, `${domain} has ${policies.length} SPF records.`, { advice });
  }
  const terms = policy.toLowerCase().split(/\s+/);
  if (terms.includes("all") || terms.includes("+all")) {
    const advice = 'End it with "-all" or "~all".';
    return warning(subject, `${domain} lets every server send its mail (${policy}).`, { advice });
  }
  return ok(
    subject,
    `${domain} says which servers may send its mail. Whether yours is among them, this does not check.`,
  );
}

async function examineDkim(domain: string, selector: string | null, lookUp: LookUp): Promise<Finding> {
  const subject = "mail DKIM";
  if (selector === null) {
    return off(subject, "Not examined, because MAIL_DKIM_SELECTOR does not name the key of the mail server.", {
      advice: "The header DKIM-Signature of a mail that you received from it has the selector as s=.",
    });
  }
  const name = `${selector}._domainkey.${domain}`;
  const found = await lookUp(name);
  if ("failure" in found) return notLookedUp(subject, found.failure);
  const keys = found.texts
    .filter((text) => (tagOf(text, "v") ?? "DKIM1") === "DKIM1")
    .flatMap((text) => tagOf(text, "p") ?? []);
  const advice = `Publish the key at ${name}, as your mail provider says, or correct MAIL_DKIM_SELECTOR.`;
  if (keys.length === 0) return warning(subject, `There is no key at ${name}.`, { advice });
  // RFC 6376, 3.6.1.
  if (keys.every((key) => key === "")) return warning(subject, `The key at ${name} is revoked.`, { advice });
  return ok(subject, `There is a key at ${name}. Whether your mail server signs with it, this does not check.`);
}

async function examineDmarc(domain: string, lookUp: LookUp): Promise<Finding> {
  const subject = "mail DMARC";
  for (const parent of withParents(domain)) {
    const name = `_dmarc.${parent}`;
    const found = await lookUp(name);
    if ("failure" in found) return notLookedUp(subject, found.failure);
    const policies = found.texts.filter((text) => tagOf(text, "v") === "DMARC1");
    if (policies.length > 1) {
      const advice = "Leave one: receivers take several for none.";
      return warning(subject, `There are ${policies.length} DMARC records at ${name}.`, { advice });
    }
    if (policies.length === 1) return judgeDmarc(name, policies[0]!, parent === domain);
  }
  return warning(subject, `${domain} does not say what receivers do with mail that only pretends to come from it.`, {
    advice: `Publish a TXT record at _dmarc.${domain}: "v=DMARC1; p=none; rua=mailto:…" to begin with.`,
  });
}

/** @param isOwn whether the record stands at the domain itself; that of a parent may say something else with `sp`. */
function judgeDmarc(name: string, policy: string, isOwn: boolean): Finding {
  const subject = "mail DMARC";
  const wanted = (isOwn ? null : tagOf(policy, "sp")) ?? tagOf(policy, "p") ?? "";
  if (!["none", "quarantine", "reject"].includes(wanted.toLowerCase())) {
    const advice = "Name p=none, p=quarantine or p=reject: receivers may ignore the record.";
    return warning(subject, `The DMARC record at ${name} does not say what is wanted.`, { advice });
  }
  return ok(subject, `${name} says what receivers do with mail that fails these checks: ${wanted}.`);
}

/** `a.b.example`, `b.example`: a domain without a record is under that of a parent. A last label alone has none. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split(".");
  const count = Math.max(1, labels.length - 1);
  return labels.slice(0, count).map((_, index) => labels.slice(index).join("."));
}

function tagOf(text: string, tag: string): string | null {
  const pairs = text.split(";").map((pair) => pair.split("="));
  const found = pairs.find(([name = ""]) => name.trim().toLowerCase() === tag);
  return found === undefined ? null : found.slice(1).join("=").trim();
}

function notLookedUp(subject: string, failure: string): Finding {
  return off(subject, `Not examined, because it cannot be looked up (${failure}).`);
}
