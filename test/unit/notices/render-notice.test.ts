import { describe, expect, test } from "vitest";
import { describeNotice, describeStop } from "../../../src/notices/describe-notice.ts";
import { listedCasesMax, type NoticeRule, type WaitingCase } from "../../../src/notices/ports.ts";
import { renderSlack, renderTeams } from "../../../src/notices/render-chat.ts";
import { renderMail } from "../../../src/notices/render-mail.ts";

const now = new Date("2026-11-25T13:00:00Z");
const rule: NoticeRule = {
  id: "r",
  name: "Desk",
  queues: ["reschedule"],
  sources: null,
  priorityMax: 9,
  when: { type: "at-once" },
  timeZone: "Europe/Berlin",
  destination: { type: "email", addresses: ["desk@agency.example"] },
};
const aCase = (overrides: Partial<WaitingCase> = {}): WaitingCase => ({
  id: "c1",
  orderId: "ORD1",
  queue: "reschedule",
  headline: "LH1167 departs 31 min later",
  question: null,
  flights: ["LH1167/2026-11-30"],
  departureAt: null,
  departure: null,
  dueBy: null,
  ...overrides,
});
const textOf = (cases: readonly WaitingCase[], total = cases.length, baseUrl: string | null = "https://desk.example") =>
  describeNotice(rule, { ...waitingOf(cases), total, now, baseUrl });
/** These cases, if no other waits. */
const waitingOf = (cases: readonly WaitingCase[]) => {
  const deadlines = cases.flatMap(({ dueBy }) => dueBy ?? []).toSorted((one, other) => one.getTime() - other.getTime());
  const ahead = deadlines.filter((dueBy) => dueBy > now);
  return { cases, total: cases.length, overdue: deadlines.length - ahead.length, nextDueBy: ahead[0] ?? null };
};
const at = (time: string) => new Date(`2026-11-${time}:00Z`);

describe("a case whose effect has an unknown outcome", () => {
  test("is announced with that and with what to do, before the change", () => {
    const question = "It is not known whether the accept was carried out. Ask the gateway or the airline.";
    const [line] = textOf([aCase({ question })]).cases;

    expect(line?.title).toBe(`ORD1: ${question}`);
    expect(line?.detail).toBe("LH1167 on 2026-11-30 · queue reschedule");
  });
});

test("a flight is named unless the headline names it, not only one whose number begins the same", () => {
  const [line] = textOf([aCase({ flights: ["LH116/2026-11-29", "LH1167/2026-11-30"] })]).cases;

  expect(line?.detail).toBe("LH116 on 2026-11-29 · queue reschedule");
});

describe("the subject", () => {
  test.each([
    ["a case without a deadline", [aCase()], "1 case needs action, ORD1"],
    ["a case that is due today", [aCase({ dueBy: at("25T13:20") })], "1 case needs action, due 14:20, ORD1"],
    [
      "a case that is due another day",
      [aCase({ dueBy: at("26T08:00") })],
      "1 case needs action, due Thu 26 Nov 09:00, ORD1",
    ],
    ["an overdue case", [aCase({ dueBy: at("25T13:00") })], "1 case needs action, overdue, ORD1"],
    [
      "several cases",
      [aCase({ dueBy: at("25T15:00") }), aCase({ dueBy: at("25T14:00") }), aCase({ dueBy: at("25T12:00") })],
      "3 cases need action, 1 overdue, first due 15:00",
    ],
  ])("of %s", (_what, cases, subject) => {
    expect(textOf(cases).subject).toBe(subject);
  });

  test("counts what is overdue among all cases, and names a deadline of one that is not listed", () => {
    const listed = Array.from({ length: listedCasesMax }, () => aCase({ dueBy: at("25T12:00") }));
    const all = { cases: listed, total: 1_240, overdue: 1_235, nextDueBy: at("25T15:00") };

    expect(describeNotice(rule, { ...all, now, baseUrl: null }).subject).toBe(
      "1,240 cases need action, 1,235 overdue, first due 16:00",
    );
  });

  test("is one line, whatever a headline, a name or an id has", () => {
    const { subject, cases, reason } = describeNotice(
      { ...rule, name: "Desk\r\nBcc: a@b.example" },
      { ...waitingOf([aCase({ headline: "a\r\nb\u2028c" })]), now, baseUrl: null },
    );
    expect(`${subject}${cases[0]!.title}${reason}`).not.toMatch(/[\r\n\u2028]/);
  });
});

describe("the departure of a case", () => {
  const departureAt = at("30T12:00");
  const departure = { airport: "SYD", local: "2026-11-30T23:00" };

  test.each([
    ["by the clock of its airport, whatever the zone of the notice", departure, "departs Mon 30 Nov 23:00 at SYD"],
    [
      "in the zone of the notice, which is named, if that is not known",
      null,
      "departs Mon 30 Nov 13:00 (Europe/Berlin)",
    ],
  ])("is given %s", (_, known, words) => {
    expect(textOf([aCase({ departureAt, departure: known })]).cases[0]!.detail).toContain(words);
  });
});

test("a mail reads the same as text and as HTML, escapes what cases have, and links to the case and the queue", () => {
  const { text, html } = renderMail(textOf([aCase({ headline: "<b>&", dueBy: at("25T13:20") })], 3));
  expect(text).toBe(`3 cases need action, first due 14:20

ORD1: <b>&
  due 14:20 · LH1167 on 2026-11-30 · queue reschedule
  https://desk.example/cases/c1

… and 2 more.

Open the queue: https://desk.example/?order=due&queue=reschedule

Notice “Desk” for queue reschedule. Times are those of Europe/Berlin, departures those of the airport.
`);
  expect(html).toContain('<a href="https://desk.example/cases/c1" style="color:#1c5bb5">ORD1: &lt;b&gt;&amp;</a>');
  expect(html).toContain('href="https://desk.example/?order=due&amp;queue=reschedule"');
  expect(html).not.toContain("<b>");
});

test("without a public URL a message has no links", () => {
  const text = textOf([aCase()], 1, null);
  expect(renderMail(text).text).not.toContain("http");
  expect(renderMail(text).html).not.toContain("href");
  expect(JSON.stringify(renderSlack(text))).not.toContain("http");
});

test("a chat shows names as they are: no mention, no link, no markup", () => {
  const hostile = textOf([
    aCase({ headline: "<!channel> <https://evil.example|here> & [x](https://evil.example) *b*" }),
  ]);
  const slack = JSON.stringify(renderSlack(hostile));
  expect(slack).toContain("&lt;!channel&gt; &lt;https[:]//evil[.]example¦here&gt; &amp;");
  const teams = JSON.stringify(renderTeams(hostile));
  expect(teams).toContain(JSON.stringify("\\[x\\](https\\[:\\]//evil\\[.\\]example) \\*b\\*").slice(1, -1));
});

test.each([
  "https://evil.example/a",
  "www.evil.example",
  "evil.example:8080/a",
  "desk@evil.example",
  "mailto:desk@evil.example",
  "tel:+4969",
  "evil．example",
  "xn--p1ai.xn--p1ai",
])("no program makes a link of %s in a name", (link) => {
  const everywhere = aCase({
    orderId: link,
    headline: link,
    queue: link,
    flights: [`${link}/2026-11-30`],
    departure: { airport: link, local: "2026-11-30T23:00" },
  });
  const text = describeNotice({ ...rule, name: link }, { ...waitingOf([everywhere]), now, baseUrl: null });

  for (const shown of [...Object.values(renderMail(text)), JSON.stringify([renderSlack(text), renderTeams(text)])]) {
    const words = shown
      .replaceAll("\\", "")
      .replaceAll(/http:\/\/adaptivecards\.io\S*|application\/vnd\.microsoft\S*/g, "");
    expect(words).not.toContain(link);
    expect(words).not.toMatch(/:\/\/|mailto:|tel:|[\w-][.．](?=[\w-]*[a-z]{2})(?!5 )/);
  }
});

test("times, numbers and sentences of a message stay as they are", () => {
  const headline = "LH1167 leaves at 14:20. It takes 1.5 h, 3.25 kg more; U.S. and so on: ask.";

  expect(textOf([aCase({ headline })]).cases[0]!.title).toBe(`ORD1: ${headline}`);
});

test.each([
  ["person:ana", "ana"],
  ["person:api", "token API_TOKEN"],
  ["worker", "Skedchange itself"],
])("a stop of automation by %s is announced as one by %s", (stoppedBy, name) => {
  const stop = { source: null, stoppedAt: now, stoppedBy, note: "Old statuses." };

  const { cases } = describeStop(rule, stop, { now, baseUrl: null });

  expect(cases[0]!.detail).toMatch(new RegExp(`^stopped by ${name}, 14:00; `));
});

test("a stop of another day is announced with that day", () => {
  const stop = { source: null, stoppedAt: now, stoppedBy: "person:ana", note: "Old statuses." };

  const { cases } = describeStop(rule, stop, { now: at("26T13:00"), baseUrl: null });

  expect(cases[0]!.detail).toMatch(/^stopped by ana, Wed 25 Nov 14:00; /);
});

test("a message holds no control, and no character that nobody sees", () => {
  const hostile = "a\u001b]52;c;eA==\u0007\u009b\u007f\r\nb\u202ec\u200b\u{e0041}\u2028";
  const text = describeStop(
    { ...rule, name: hostile },
    { source: hostile, stoppedAt: now, stoppedBy: `person:${hostile}`, note: hostile },
    { now, baseUrl: null },
  );

  expect(JSON.stringify(text)).not.toMatch(/\p{C}/u);
  expect(text.subject).toBe("Automation of source a ]52;c;eA== bc is stopped: agents decide each case");
});

test("the longest message is within the limits of Slack and Teams, in any script", () => {
  const long = aCase({ orderId: "O".repeat(200), headline: "航".repeat(2_000), queue: "列".repeat(200) });
  const text = textOf(
    Array.from({ length: listedCasesMax }, () => ({
      ...long,
      flights: Array.from({ length: 30 }, () => "便".repeat(80)),
    })),
    5_000,
  );
  const slack = renderSlack(text) as { blocks: { type: string; text?: { text: string } }[] };
  expect(slack.blocks.length).toBeLessThanOrEqual(50);
  const characters = slack.blocks.map((block) => block.text?.text.length ?? 0);
  expect(Math.max(...characters)).toBeLessThanOrEqual(3_000);
  expect(characters.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(13_000);
  expect(Buffer.byteLength(JSON.stringify(renderTeams(text)))).toBeLessThanOrEqual(28 * 1024);
});
