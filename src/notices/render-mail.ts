import { type Html, html } from "../http/html.ts";
import type { NoticeLine, NoticeText } from "./describe-notice.ts";

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(notice: NoticeText): RenderedMail {
  return { subject: notice.subject, text: renderText(notice), html: renderHtml(notice).html };
}

function renderText({ subject, cases, more, queueUrl, reason }: NoticeText): string {
  const parts = [
    subject,
    ...cases.map(({ title, detail, url }) =>
      [title, detail, url]
        .filter((line) => line !== null)
        .map((line, index) => (index === 0 ? line : `  ${line}`))
        .join("\n"),
    ),
    more,
    queueUrl === null ? null : `Open the queue: ${queueUrl}`,
    reason,
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}

/** Styles are inline, because mail programs ignore others. Colours are readable on light and dark backgrounds alike. */
function renderHtml({ subject, cases, more, queueUrl, reason }: NoticeText): Html {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1b2330;background:#ffffff">
<h1 style="font-size:20px;line-height:1.3;margin:0 0 16px">${subject}</h1>
${cases.map(renderCase)}
${more === null ? null : html`<p style="margin:0 0 16px">${more}</p>`}
${
  queueUrl === null
    ? null
    : html`<p style="margin:0 0 16px"><a href="${queueUrl}" style="display:inline-block;padding:8px 16px;border-radius:6px;background:#1c5bb5;color:#ffffff;text-decoration:none">Open the queue</a></p>`
}
<p style="margin:0;font-size:14px;color:#566072">${reason}</p>
</body>
</html>
`;
}

function renderCase({ title, detail, url }: NoticeLine): Html {
  const heading = url === null ? html`${title}` : html`<a href="${url}" style="color:#1c5bb5">${title}</a>`;
  return html`<p style="margin:0 0 12px"><strong>${heading}</strong><br><span style="color:#566072">${detail}</span></p>
`;
}
