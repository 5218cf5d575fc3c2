import { Button } from "@mantine/core";
import type { CaseActionName } from "../../ports.ts";
import type { CaseView } from "../api/answers.ts";
import { useSession } from "../api/session.ts";
import { formatCountdown } from "../words/moments.ts";
import { canAct } from "../words/possible-actions.ts";
import { describeDecision } from "../words/state-words.ts";
import { useNow, When } from "./when.tsx";

interface UndoNoticeProps {
  readonly found: CaseView;
  readonly onChoose: (action: CaseActionName) => void;
}

/** How long an automatic call can still be stopped, counted down, and the button that stops it. */
export function UndoNotice({ found, onChoose }: UndoNoticeProps) {
  const { user } = useSession();
  const now = useNow(1_000);
  if (found.undoUntil === null || found.decision === null) return null;
  const seconds = (new Date(found.undoUntil).getTime() - now.getTime()) / 1_000;
  if (seconds <= 0) return null;
  const canStop = canAct("stop", found, user.role);
  return (
    <section className="banner tone-warn" aria-label="Can still be stopped">
      <div>
        <p className="banner-title">
          {describeDecision(found.decision.action)} is sent in{" "}
          <span role="timer" className="countdown" aria-label="Time left to stop it">
            {formatCountdown(seconds)}
          </span>
        </p>
        <p>
          The policy decided it; it goes to the gateway at <When at={found.undoUntil} /> unless somebody stops it.
          {canStop ? "" : " An agent can."}
        </p>
      </div>
      {canStop ? (
        <Button className="danger-filled" onClick={() => onChoose("stop")}>
          Stop
        </Button>
      ) : null}
    </section>
  );
}
