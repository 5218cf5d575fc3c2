import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { api } from "../api/api-client.ts";
import type { AutomationState } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { describeActor } from "../words/state-words.ts";
import { FormDialog } from "./form-dialog.tsx";
import { NoteField } from "./note-field.tsx";
import { ErrorNotice } from "./notices.tsx";
import { When } from "./when.tsx";

type Stop = NonNullable<AutomationState["stop"]>;

const automationKey = ["automation"];

const askEveryMs = 15_000;

function useAutomation() {
  return useQuery({ queryKey: automationKey, queryFn: api.readAutomation, refetchInterval: askEveryMs });
}

/** On every page while automatic effects are stopped. */
export function AutomationBanner() {
  const { data } = useAutomation();
  if (data === undefined || data.stop === null) return null;
  return (
    <section className="stopped-banner" aria-label="Automation is stopped">
      <div role="status">
        <p className="banner-title">Automation is stopped</p>
        <p>
          <StoppedBy stop={data.stop} /> The policy sends no accepts or cancels; an agent decides each case.
        </p>
        <blockquote className="note">{data.stop.note}</blockquote>
      </div>
      <ResumeButton stop={data.stop} />
    </section>
  );
}

export function AutomationPanel() {
  const { user } = useSession();
  const { data, isError, error, refetch } = useAutomation();
  const [isAsking, setIsAsking] = useState(false);
  const mayChange = mayChangeAutomation(user);
  const whoMay = user.sources === null ? "A supervisor" : "A supervisor of all sources";
  return (
    <section className="panel" aria-labelledby="automation">
      <h2 id="automation">Automation</h2>
      {isError ? <ErrorNotice problem={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : data.stop === null ? (
        <>
          <p>
            <strong>On.</strong> Accepts and cancels that the policy decides are sent to the gateway, for every source.
          </p>
          {mayChange ? (
            <Button variant="default" className="danger" onClick={() => setIsAsking(true)}>
              Stop automation …
            </Button>
          ) : (
            <p className="quiet">{whoMay} can stop it.</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>Off.</strong> <StoppedBy stop={data.stop} />
          </p>
          {mayChange ? <ResumeButton stop={data.stop} /> : <p className="quiet">{whoMay} can resume it.</p>}
        </>
      )}
      {isAsking ? <StopDialog onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}

function StoppedBy({ stop }: { readonly stop: Stop }) {
  return (
    <>
      Stopped by {describeActor(stop.stoppedBy)}, <When at={stop.stoppedAt} />.
    </>
  );
}

function StopDialog({ onClose }: { readonly onClose: () => void }) {
  const reload = useReload();
  const [note, setNote] = useState("");
  const stop = useMutation({
    mutationFn: () => api.stopAutomation(note.trim()),
    onSuccess: async () => {
      await reload();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Stop automation"
      problem={stop.error}
      problemTitle="Automation may not be stopped"
      cancelLabel="Back"
      submit={{
        label: "Stop automation",
        isPending: stop.isPending,
        isDisabled: note.trim() === "",
        isDanger: true,
      }}
      onSubmit={() => stop.mutate()}
      onClose={onClose}
    >
      <p>
        Accepts and cancels that the policy decides are no longer sent, for any source. They wait for an agent,
        including those decided but not sent yet.
      </p>
      <p className="quiet">
        Accepts and cancels that agents decide are still sent. Calls already sent are completed, and bookings are still
        checked.
      </p>
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
  if (!mayChangeAutomation(user)) return null;
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
  const reload = useReload();
  const [seen] = useState(stop);
  const resume = useMutation({
    mutationFn: () => api.resumeAutomation(seen.id),
    onSuccess: async () => {
      onClose();
      await reload();
    },
    onError: reload,
  });
  return (
    <FormDialog
      title="Resume automation"
      problem={resume.error}
      problemTitle="Automation was not resumed"
      cancelLabel="Back"
      submit={{ label: "Resume", isPending: resume.isPending, hasFocus: true }}
      onSubmit={() => resume.mutate()}
      onClose={onClose}
    >
      <p>
        The policy acts again, for every source. Cases that waited only because of the stop are decided again at once,
        so accepts and cancels may be sent right away.
      </p>
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

/** Reads everything again, because cases change with the switch. */
function useReload(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

/** The switch is for all sources, so it takes somebody who sees all of them. */
function mayChangeAutomation({ role, sources }: ReturnType<typeof useSession>["user"]): boolean {
  return sources === null && isRoleAtLeast(role, requiredRoles.changeAutomation);
}
