import { describeDecision, describeEffectState, sentence } from "./state-words.ts";

type Detail = Readonly<Record<string, unknown>>;

/** What happened, in one line; kinds that this page does not know are shown as they are called. */
export function describeEvent(kind: string, detail: Detail): string {
  switch (kind) {
    case "notification.received":
      return Number(detail["receipts"]) > 1
        ? `Notification received again (${String(detail["receipts"])} times by now)`
        : "Notification received";
    case "notification.replayed":
      return "Notification replayed from quarantine";
    case "case.opened":
      return "Case opened";
    case "case.recheck_asked":
      return "Asked to read the status again";
    case "case.postponed":
      return "Put off";
    case "case.done":
      return "Done";
    case "case.closed":
      return "Closed";
    case "status.unchanged":
      return "Status read: nothing new";
    case "status.unreadable":
      return "The status could not be read";
    case "decision.made":
      return `Decision: ${describeDecision(String(detail["action"])).toLowerCase()}`;
    case "effect.planned":
      return `${sentence(String(detail["action"] ?? "call"))} planned`;
    case "effect.sent":
      return "Sent to the gateway";
    case "effect.confirmed":
      return "Outcome confirmed: it happened";
    case "effect.refuted":
      return "Outcome refuted: it did not happen";
    case "effect.still_unknown":
      return "Status read: the outcome is still unknown";
    default:
      return kind.startsWith("effect.")
        ? `Gateway call: ${describeEffectState(kind.slice("effect.".length)).label.toLowerCase()}`
        : sentence(kind);
  }
}

/** What is worth reading beside it: the note, the rule, the message of an error. */
export function describeEventDetail(detail: Detail): string | null {
  const error = detail["error"];
  const parts = [
    textOf(detail["note"]),
    typeof detail["rule"] === "string" && detail["rule"] !== "person" ? `rule ${detail["rule"]}` : null,
    error !== null && typeof error === "object" && "message" in error ? textOf(error.message) : null,
    textOf(detail["message"]),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" · ");
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
