import { caseStates } from "../cases/lifecycle.ts";
import { type Html, html } from "./html.ts";
import type { CaseItem, Overview, ProcessStatus } from "./ports.ts";

export interface StatusPageContent {
  readonly now: Date;
  readonly status: ProcessStatus;
  /** Null when it cannot be read at the moment. */
  readonly overview: Overview | null;
  /** Null when orders are not shown here, or cannot be read. */
  readonly newest: readonly CaseItem[] | null;
}

/** The status page as a whole document. `style` must be exactly the text whose hash the response's policy allows. */
export function renderStatusPage(content: StatusPageContent, style: string): string {
  const { now, status, overview, newest } = content;
  const working = status.parts.every((part) => part.ok) && overview !== null;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${working ? "Working" : "Not ready"} · Skedchange</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
<header>
<h1>Skedchange</h1>
<p class="pill ${working ? "good" : "bad"}">${working ? "Working" : "Not ready"}</p>
${status.demo ? html`<p class="pill">Demo data</p>` : null}
<p class="asof">As of <time datetime="${now.toISOString()}">${formatInstant(now)}</time> · <a href="/status">Refresh</a> · <a href="/">Dashboard</a></p>
</header>
<main>
${renderOverview(overview)}
${overview === null ? null : renderStates(overview)}
${newest === null ? null : renderNewest(newest)}
${renderProcess(status, now)}
</main>
<footer><p>API: <a href="/docs">description</a>, <code>/api/v1</code> with a bearer token${
    newest === null ? ", which also shows the orders" : null
  }. On the command line: <code>npx skedchange cases</code>.</p></footer>
</body>
</html>
`;
  return page.html;
}

function renderOverview(overview: Overview | null): Html {
  if (overview === null) {
    return html`<section aria-labelledby="now"><h2 id="now">Now</h2>
<p class="notice">The counts cannot be read at the moment. A notification that cannot be stored is answered with 503
and not acknowledged.</p></section>`;
  }
  const waiting = overview.casesByState["awaiting-agent"] ?? 0;
  const { automationStoppedAt: stoppedAt } = overview;
  return html`<section aria-labelledby="now"><h2 id="now">Now</h2>
${
  stoppedAt === null
    ? null
    : html`<p class="notice warn">Automatic effects are stopped since <time datetime="${stoppedAt.toISOString()}">${formatInstant(stoppedAt)}</time>. People decide every case; the dashboard says why.</p>`
}
<dl class="tiles">
${tile("Waiting for a person", formatCount(waiting), waiting > 0 ? "warn" : null)}
${tile("Due for a worker", formatCount(overview.casesDue), null)}
${tile("Oldest due", overview.casesDue === 0 ? "–" : formatDuration(overview.oldestDueSeconds), overview.oldestDueSeconds > 300 ? "warn" : null)}
${tile("Notifications", formatCount(overview.notifications), null, overview.receipts > overview.notifications ? `${formatCount(overview.receipts)} receipts` : null)}
${tile("Quarantined", formatCount(overview.quarantined), overview.quarantined > 0 ? "warn" : null)}
</dl></section>`;
}

function tile(label: string, value: string, tone: "warn" | null, note: string | null = null): Html {
  return html`<div class="tile ${tone}"><dt>${label}</dt><dd>${value}${note === null ? null : html` <small>${note}</small>`}</dd></div>`;
}

function renderStates(overview: Overview): Html {
  const total = Object.values(overview.casesByState).reduce((sum, count) => sum + count, 0);
  return html`<section aria-labelledby="states"><h2 id="states">Cases <small>${formatCount(total)}</small></h2>
<ul class="states">
${caseStates.map((state) => {
  const count = overview.casesByState[state] ?? 0;
  return html`<li class="${count === 0 ? "none" : null}"><span class="state ${toneOf(state)}">${formatState(state)}</span> <b>${formatCount(count)}</b></li>
`;
})}</ul></section>`;
}

function renderNewest(newest: readonly CaseItem[]): Html {
  if (newest.length === 0) {
    return html`<section aria-labelledby="newest"><h2 id="newest">Newest cases</h2>
<p class="notice">None yet. Push a notification: <code>npx skedchange send-ocn samples/ocn-minor-delay.json</code></p></section>`;
  }
  return html`<section aria-labelledby="newest"><h2 id="newest">Newest cases</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="newest"><table>
<thead><tr><th scope="col">Order</th><th scope="col">What changed</th><th scope="col">State</th><th scope="col">Decision and reason</th></tr></thead>
<tbody>
${newest.map(renderCase)}</tbody>
</table></div></section>`;
}

function renderCase(item: CaseItem): Html {
  return html`<tr><th scope="row">${item.orderId}<br><small>${item.gdsBookingReferences.join(", ")}</small></th>
<td>${item.headline ?? "Not read yet"}</td>
<td><span class="state ${toneOf(item.state)}">${formatState(item.state)}</span></td>
<td>${renderDecision(item)}</td></tr>
`;
}

function renderDecision(item: CaseItem): Html {
  const { decision, lastError } = item;
  if (decision === null) {
    return lastError === null
      ? html`<small>None yet</small>`
      : html`<small>None yet; last try: ${lastError.message}</small>`;
  }
  return html`<b>${decision.action}</b> by ${decision.decidedBy === "policy" ? "policy" : "a person"}<br><small>${
    decision.reasons[0]?.text ?? decision.rule
  }</small>`;
}

function renderProcess(status: ProcessStatus, now: Date): Html {
  const upSeconds = (now.getTime() - status.startedAt.getTime()) / 1000;
  return html`<section aria-labelledby="process"><h2 id="process">This process</h2>
<dl class="facts">
<div><dt>Version</dt><dd>${status.version}</dd></div>
<div><dt>Runs</dt><dd>${status.roles.join(", ")}</dd></div>
<div><dt>Up for</dt><dd>${formatDuration(upSeconds)}</dd></div>
${status.parts.map(
  (part) => html`<div><dt>${capitalise(part.name)}</dt><dd><span class="state ${part.ok ? "good" : "bad"}">${
    part.ok ? "reachable" : "not reachable"
  }</span>${part.problem === null ? null : html` <small>${part.problem.code}</small>`}</dd></div>
`,
)}</dl></section>`;
}

function toneOf(state: string): string {
  switch (state) {
    case "done":
    case "resolved-elsewhere":
      return "good";
    case "awaiting-agent":
    case "awaiting-traveller":
    case "snoozed":
      return "warn";
    case "closed":
      return "plain";
    default:
      return "busy";
  }
}

function formatState(state: string): string {
  return capitalise(state.replaceAll("-", " "));
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}

function formatInstant(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `45 s`, `3 min`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
