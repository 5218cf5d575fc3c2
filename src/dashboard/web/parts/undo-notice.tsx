import { Button } from "@mantine/core";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { formatCountdown } from "../words/moments.ts";
import { canAct } from "../words/possible-actions.ts";
import { describeDecision } from "../words/state-words.ts";
import { useNow, When } from "./when.tsx";

interface UndoNoticeProps {
  readonly found: CaseView;
  readonly onChoose: (action: CaseActionName) => void;
}

/** That a call can still be stopped, and the button that stops it: how long, counted down, or that the gateway is waited for. */
export function UndoNotice({ found, onChoose }: UndoNoticeProps) {
  const { user } = useSession();
  const now = useNow(1_000);
  if (!found.possibleActions.includes("stop") || found.decision === null) return null;
  const seconds = found.undoUntil === null ? 0 : (new Date(found.undoUntil).getTime() - now.getTime()) / 1_000;
  if (seconds <= 0 && found.lastError === null) return null;
  const canStop = canAct("stop", found, user.role);
  const what = describeDecision(found.decision.action);
  return (
    <section className="banner tone-warn" aria-label="Can still be stopped">
      {found.undoUntil !== null && seconds > 0 ? (
        <div>
          <p className="banner-title">
            {what} is sent in{" "}
            <span role="timer" className="countdown" aria-label="Time left to stop it">
              {formatCountdown(seconds)}
            </span>
          </p>
          <p>
            The policy decided this. It is sent to the gateway at <When at={found.undoUntil} /> unless an agent stops
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
