import { mixedResults } from "../../../cases/effect.ts";
import { formatAmount } from "../../../travel/money.ts";
import { describeActor, describeDecision, describeEffectState, toLabel } from "../labels/state-words.ts";
import { describeTaskKind } from "../tasks/task-words.ts";
import { actionEvents } from "./case-actions.ts";

type Detail = Readonly<Record<string, unknown>>;

export function describeEvent(kind: string, detail: Detail): string {
  const byPerson = actionEvents[kind];
  if (byPerson !== undefined) return byPerson(detail);
  switch (kind) {
    case "notification.received":
      return Number(detail["receipts"]) > 1
        ? `Notification received again (${String(detail["receipts"])} times by now)`
        : "Notification received";
    case "notification.replayed":
      return "Notification released from quarantine";
    case "case.opened":
      return "Case opened";
    case "case.postponed":
      return "Attempt failed, retried later";
    case "case.overdue":
      return "Overdue";
    case "task.opened":
      return `Task added: ${describeTaskKind(String(detail["kind"])).toLowerCase()}`;
    case "task.assigned": {
      const task = describeTaskKind(String(detail["kind"])).toLowerCase();
      const { assignee } = detail;
      return typeof assignee === "string"
        ? `Task assigned to ${describeActor(assignee)}: ${task}`
        : `Task unassigned: ${task}`;
    }
    case "task.overdue":
      return `Task overdue: ${describeTaskKind(String(detail["kind"])).toLowerCase()}`;
    case "task.closed":
      return `Task done: ${describeTaskKind(String(detail["kind"])).toLowerCase()}`;
    case "refund.lower":
      return "Refund lower than expected";
    case "refund.unknown":
      return "Refund amount not stated";
    case "status.changed":
      return "Booking checked: change found that was not notified";
    case "case.done":
      return "Done";
    case "case.closed":
      return "Closed";
    case "status.unchanged":
      return "Booking checked: as at the check before";
    case "status.contradicts":
      return "Booking checked: does not match the gateway's response yet";
    case "case.bodies_deleted":
      return detail["reason"] === "erasure"
        ? "Traveller data erased: messages, responses and notes"
        : "Messages, responses and notes deleted after the retention period";
    case "case.repaired":
      return "Stuck case restarted";
    case "order.imported":
      return "Booked flights imported";
    case "decision.made":
      return `Decision: ${describeDecision(String(detail["action"])).toLowerCase()}`;
    case "effect.planned":
      return `${toLabel(String(detail["action"] ?? "call"))} planned`;
    case "effect.sent":
      return "Sent to the gateway";
    case "effect.sent_again":
      return "Sent to the gateway again";
    case "effect.answered_late":
      return `Late response of the gateway, not used: ${describeEffectState(String(detail["outcome"])).label.toLowerCase()}`;
    case "effect.still_unknown":
      return "Booking checked: outcome still unknown";
    case "effect.failed":
      return `Gateway call: ${isPartly(detail["error"]) ? "carried out in part" : "failed"}`;
    default:
      return kind.startsWith("effect.")
        ? `Gateway call: ${describeEffectState(kind.slice("effect.".length)).label.toLowerCase()}`
        : toLabel(kind);
  }
}

function isPartly(error: unknown): boolean {
  return error !== null && typeof error === "object" && "code" in error && error.code === mixedResults;
}

export function describeEventDetail(detail: Detail): string | null {
  const error = detail["error"];
  const parts = [
    textOf(detail["note"]),
    typeof detail["rule"] === "string" && detail["rule"] !== "person" ? `rule ${detail["rule"]}` : null,
    error !== null && typeof error === "object" && "message" in error ? textOf(error.message) : null,
    textOf(detail["message"]),
    Array.isArray(detail["refunds"])
      ? `refund ${detail["refunds"].map((amount) => formatAmount(String(amount), null)).join(" + ")}`
      : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" · ");
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
