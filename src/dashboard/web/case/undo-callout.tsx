import { Button } from "@mantine/core";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { useNow, When } from "../components/when.tsx";
import { formatCountdown } from "../labels/moments.ts";
import { describeDecision } from "../labels/state-words.ts";
import { canAct } from "./possible-actions.ts";

interface UndoCalloutProps {
  readonly caseView: CaseView;
  readonly onChoose: (action: CaseActionName) => void;
}

/** Shown while an effect can be stopped: during the undo window, and while the gateway does not respond. */
export function UndoCallout({ caseView, onChoose }: UndoCalloutProps) {
  const { user } = useSession();
  const now = useNow(1_000);
  if (!caseView.possibleActions.includes("stop") || caseView.decision === null) return null;
  const seconds = caseView.undoUntil === null ? 0 : (new Date(caseView.undoUntil).getTime() - now.getTime()) / 1_000;
  if (seconds <= 0 && caseView.lastError === null) return null;
  const canStop = canAct("stop", caseView, user.role);
  const what = describeDecision(caseView.decision.action);
  return (
    <section className="banner tone-warn" aria-label="Can still be stopped">
      {caseView.undoUntil !== null && seconds > 0 ? (
        <div>
          <p className="banner-title">
            {what} is sent in{" "}
            <span role="timer" className="countdown" aria-label="Time left to stop it">
              {formatCountdown(seconds)}
            </span>
          </p>
          <p>
            The policy decided this. It is sent to the gateway <When at={caseView.undoUntil} /> unless an agent stops
            it.
          </p>
        </div>
      ) : (
        <div>
          <p className="banner-title">{what} waits for the gateway</p>
          <p>
            Nothing has been sent. It is sent when the gateway responds again and the booking is unchanged, unless an
            agent stops it.
          </p>
        </div>
      )}
      {canStop ? (
        <Button className="danger-filled" onClick={() => onChoose("stop")}>
          Stop
        </Button>
      ) : null}
    </section>
  );
}
