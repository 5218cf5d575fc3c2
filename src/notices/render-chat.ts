import type { NoticeLine, NoticeText } from "./describe-notice.ts";

/**
 * The body for an incoming webhook of Slack. With `listedCasesMax` cases it has 23 of the 50 blocks that a message may
 * have, and at most about 9,000 of the 13,000 characters that Slack takes in all of them.
 */
export function renderSlack({ subject, cases, more, queueUrl, reason }: NoticeText): object {
  const section = (text: string): object => ({ type: "section", text: { type: "mrkdwn", text, verbatim: true } });
  return {
    text: escapeSlack(subject),
    blocks: [
      { type: "header", text: { type: "plain_text", text: subject.slice(0, slackHeaderMax), emoji: false } },
      ...cases.map(({ title, detail, url }) => {
        const shown = escapeSlack(title);
        return section(`${url === null ? `*${shown}*` : `*<${url}|${shown}>*`}\n${escapeSlack(detail)}`);
      }),
      ...(more === null ? [] : [section(escapeSlack(more))]),
      ...(queueUrl === null ? [] : [section(`<${queueUrl}|Open the queue>`)]),
      { type: "context", elements: [{ type: "plain_text", text: reason.slice(0, slackContextMax), emoji: false }] },
    ],
  };
}

const slackHeaderMax = 150;
const slackContextMax = 2_000;

/** What would begin a mention, a link or an entity. `*` and `_` stay, which only make words bold. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("|", "¦");
}

/**
 * The body for a webhook of the Workflows app of Microsoft Teams: one Adaptive Card. Teams takes 28 KB; this has at most
 * about 26 KB, in any script.
 */
export function renderTeams({ subject, cases, more, queueUrl, reason }: NoticeText): object {
  const block = (text: string, style: object = {}): object => ({
    type: "TextBlock",
    text: escapeMarkdown(text),
    wrap: true,
    ...style,
  });
  const subtle = { isSubtle: true, spacing: "None", size: "Small" };
  const item = ({ title, detail, url }: NoticeLine): object => ({
    type: "Container",
    separator: true,
    items: [block(title, { weight: "Bolder" }), block(detail, subtle)],
    ...(url === null ? {} : { selectAction: { type: "Action.OpenUrl", title: "Open the case", url } }),
  });
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: subject,
    body: [
      block(subject, { size: "Large", weight: "Bolder", style: "heading" }),
      ...cases.map(item),
      ...(more === null ? [] : [block(more)]),
      block(reason, { isSubtle: true, size: "Small", separator: true }),
    ],
    actions: queueUrl === null ? [] : [{ type: "Action.OpenUrl", title: "Open the queue", url: queueUrl }],
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** A TextBlock reads some Markdown: links, lists, bold and italics. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\[\]*_`]/g, "\\$&").replace(/^(\s*)([-+#>]|\d+\.)/, "$1\\$2");
}
