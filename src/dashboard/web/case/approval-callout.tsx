import { Button, Group } from "@mantine/core";
import type { CaseActionName } from "../../../cases/case-actions.ts";
import type { CaseView } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { When } from "../components/when.tsx";
import { describeActor, describeDecision, usernameOf } from "../labels/state-words.ts";
import { canAct } from "./possible-actions.ts";

interface ApprovalCalloutProps {
  readonly caseView: CaseView;
  readonly onChoose: (action: CaseActionName) => void;
}

/** Nobody can approve their own request. */
export function ApprovalCallout({ caseView, onChoose }: ApprovalCalloutProps) {
  const { user } = useSession();
  const { approval } = caseView;
  if (approval === null) return null;
  const isOwn = usernameOf(approval.askedBy) === user.username;
  const canApprove = !isOwn && canAct("approve", caseView, user.role);
  const canRefuse = canAct("refuse-approval", caseView, user.role);
  return (
    <section className="banner tone-warn" aria-label="Needs approval">
      <div>
        <p className="banner-title">{describeDecision(approval.action)} needs approval by a second person</p>
        <p>
          Requested by {isOwn ? "you" : describeActor(approval.askedBy)}, <When at={approval.askedAt} />.{" "}
          {isOwn ? "Someone else must approve it." : null}
          {!isOwn && !canApprove ? "A supervisor can approve it." : null}
        </p>
        {approval.note === null ? null : <blockquote className="note">{approval.note}</blockquote>}
      </div>
      <Group gap="xs">
        {canApprove ? (
          <Button className="danger-filled" onClick={() => onChoose("approve")}>
            Approve …
          </Button>
        ) : null}
        {canRefuse ? (
          <Button variant="default" onClick={() => onChoose("refuse-approval")}>
            {isOwn ? "Withdraw …" : "Reject …"}
          </Button>
        ) : null}
      </Group>
    </section>
  );
}
