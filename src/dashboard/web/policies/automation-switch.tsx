import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { describeStopper, nameAutomation } from "../../../kernel/automation-words.ts";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { useChange, useRead } from "../api/hooks.ts";
import type { AutomationState } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { ErrorCallout } from "../components/callouts.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { NoteField } from "../components/note-field.tsx";
import { When } from "../components/when.tsx";

type Stop = AutomationState["stops"][number];

const askEveryMs = 15_000;

function useAutomation() {
  return useRead("GET /automation", {}, { refetchInterval: askEveryMs });
}

/** On every page while automatic effects are stopped, one for each stop. */
export function AutomationBanner() {
  const { data } = useAutomation();
  return data?.stops.map((stop) => {
    const title = `${nameAutomation(stop.source)} is stopped`;
    return (
      <section key={stop.id} className="stopped-banner" aria-label={title}>
        <div role="status">
          <p className="banner-title">{title}</p>
          <p>
            <StoppedBy stop={stop} /> The policy sends no accepts or cancels
            {stop.source === null ? "" : " of this source"}; an agent decides each case.
          </p>
          <blockquote className="note">{stop.note}</blockquote>
        </div>
        <ResumeButton stop={stop} />
      </section>
    );
  });
}

/** @param sources those that the user sees */
export function AutomationPanel({ sources }: { readonly sources: readonly string[] }) {
  const { user } = useSession();
  const { data, isError, error, refetch } = useAutomation();
  const [isAsking, setIsAsking] = useState(false);
  const running = sources.filter((each) => data?.stops.some(({ source }) => source === each) !== true);
  const isEachStopped = sources.length > 0 && running.length === 0;
  const needsAll = data?.stopped === true && user.sources !== null;
  return (
    <section className="panel" aria-labelledby="automation">
      <h2 id="automation">Automation</h2>
      {isError ? <ErrorCallout problem={error} onRetry={() => void refetch()} /> : null}
      {data?.stops.map((stop) => (
        <div key={stop.id} className="switch-state">
          <p>
            <strong>{stop.source === null ? "Off." : `Off for ${stop.source}.`}</strong> <StoppedBy stop={stop} />
          </p>
          {mayChange(user, stop.source) ? <ResumeButton stop={stop} /> : null}
        </div>
      ))}
      {data === undefined || data.stopped || isEachStopped ? null : (
        <>
          <p>
            <strong>On{data.stops.length === 0 ? "" : " for the other sources"}.</strong> Accepts and cancels that the
            policy decides are sent to the gateway{data.stops.length === 0 ? ", for every source" : ""}.
          </p>
          {mayStopAny(user) ? (
            <Button variant="default" className="danger" onClick={() => setIsAsking(true)}>
              Stop automation …
            </Button>
          ) : null}
        </>
      )}
      {mayStopAny(user) && !needsAll ? null : (
        <p className="quiet">
          A supervisor{needsAll ? " of all sources" : ""} can {data?.stopped === true ? "resume" : "stop"} it.
        </p>
      )}
      {isAsking ? <StopDialog sources={sources} running={running} onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}

function StoppedBy({ stop }: { readonly stop: Stop }) {
  return (
    <>
      Stopped by {describeStopper(stop.stoppedBy)}, <When at={stop.stoppedAt} />.
    </>
  );
}

const everySource = "";

interface StopDialogProps {
  readonly sources: readonly string[];
  /** Those that are not stopped by themselves. */
  readonly running: readonly string[];
  readonly onClose: () => void;
}

function StopDialog({ sources, running, onClose }: StopDialogProps) {
  const { user } = useSession();
  const scopes = [
    ...(user.sources === null ? [{ value: everySource, label: "Every source" }] : []),
    ...running.map((source) => ({ value: source, label: source })),
  ];
  const [scope, setScope] = useState(scopes[0]?.value ?? everySource);
  const [note, setNote] = useState("");
  const stop = useChange("POST /automation/stop", onClose);
  return (
    <FormDialog
      title="Stop automation"
      change={stop}
      failed="Automation may not be stopped"
      cancel="Back"
      submit="Stop automation"
      isDisabled={note.trim() === ""}
      isDanger
      onSubmit={() => stop.mutate({ body: { note: note.trim(), ...(scope === everySource ? {} : { source: scope }) } })}
      onClose={onClose}
    >
      <p>
        Accepts and cancels that the policy decides are no longer sent, for{" "}
        {scope === everySource ? "any source" : `source ${scope}`}. They wait for an agent, including those decided but
        not sent yet.
      </p>
      <p className="quiet">
        Accepts and cancels that agents decide are still sent. Calls already sent are completed, and bookings are still
        checked.
      </p>
      {sources.length > 1 && scopes.length > 1 ? (
        <NativeSelect
          label="Of"
          data={scopes}
          value={scope}
          onChange={({ currentTarget }) => setScope(currentTarget.value)}
        />
      ) : null}
      <NoteField
        label="Reason"
        description="Shown to everyone, on every page, until automation is resumed."
        required
        isFocusedFirst
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  );
}

function ResumeButton({ stop }: { readonly stop: Stop }) {
  const { user } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  if (!mayChange(user, stop.source)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Resume …
      </Button>
      {isAsking ? <ResumeDialog stop={stop} onClose={() => setIsAsking(false)} /> : null}
    </>
  );
}

/** Ends only the stop that was shown when the dialog opened, not one that somebody has made since. */
function ResumeDialog({ stop, onClose }: { readonly stop: Stop; readonly onClose: () => void }) {
  const [seen] = useState(stop);
  const resume = useChange("POST /automation/resume", onClose);
  return (
    <FormDialog
      title={seen.source === null ? "Resume automation" : `Resume automation of source ${seen.source}`}
      change={resume}
      failed="Automation was not resumed"
      cancel="Back"
      submit="Resume"
      hasFocus
      onSubmit={() =>
        resume.mutate({ body: { stopId: seen.id, ...(seen.source === null ? {} : { source: seen.source }) } })
      }
      onClose={onClose}
    >
      <p>
        The policy acts again, for {seen.source === null ? "every source that is not stopped by itself" : "this source"}
        . Cases that waited only because of the stop are decided again at once, so accepts and cancels may be sent right
        away.
      </p>
      {seen.cause === "outcomes" ? (
        <p>The count begins anew: three such outcomes in a row, or five of the last hundred, stop it again.</p>
      ) : null}
      <p className="quiet">Cases that an agent has taken over stay with the agent.</p>
      <div>
        <p className="quiet">
          <StoppedBy stop={seen} />
        </p>
        <blockquote className="note">{seen.note}</blockquote>
      </div>
    </FormDialog>
  );
}

type User = ReturnType<typeof useSession>["user"];

function mayStopAny({ role }: User): boolean {
  return isRoleAtLeast(role, requiredRoles.changeAutomation);
}

/** The switch of all sources takes somebody who sees all of them. */
function mayChange(user: User, source: string | null): boolean {
  return mayStopAny(user) && (source !== null || user.sources === null);
}
