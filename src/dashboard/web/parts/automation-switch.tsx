import { Button, Group, Modal, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import type { AutomationState } from "../api/answers.ts";
import { api } from "../api/api-client.ts";
import { useSession } from "../api/session.ts";
import { describeActor } from "../words/state-words.ts";
import { ErrorNotice } from "./notices.tsx";
import { When } from "./when.tsx";

type Stop = NonNullable<AutomationState["stop"]>;

const automationKey = ["automation"];

/** Often enough that nobody wonders for long why nothing happens. */
const askEveryMs = 15_000;

function useAutomation() {
  return useQuery({ queryKey: automationKey, queryFn: api.readAutomation, refetchInterval: askEveryMs });
}

/** Says on every page that automatic effects are stopped; nothing while they are not. */
export function AutomationBanner() {
  const { data } = useAutomation();
  if (data === undefined || data.stop === null) return null;
  return (
    <section className="stopped-banner" aria-label="Automatic effects are stopped">
      <div role="status">
        <p className="banner-title">Automatic effects are stopped</p>
        <p>
          <StoppedBy stop={data.stop} /> Accepts and cancels that the rules decide are not sent; a person decides about
          each.
        </p>
        <blockquote className="note">{data.stop.note}</blockquote>
      </div>
      <ResumeButton stop={data.stop} />
    </section>
  );
}

/** The switch, and what it does. */
export function AutomationPanel() {
  const { user } = useSession();
  const { data, isError, error, refetch } = useAutomation();
  const [isAsking, setIsAsking] = useState(false);
  const mayChange = isRoleAtLeast(user.role, requiredRoles.changeAutomation);
  return (
    <section className="panel" aria-labelledby="automation">
      <h2 id="automation">Automatic effects</h2>
      {isError ? <ErrorNotice problem={error} onRetry={() => void refetch()} /> : null}
      {data === undefined ? null : data.stop === null ? (
        <>
          <p>
            <strong>On.</strong> Accepts and cancels that the rules decide are sent to the gateway, for every source.
          </p>
          {mayChange ? (
            <Button variant="default" className="danger" onClick={() => setIsAsking(true)}>
              Stop all automatic effects …
            </Button>
          ) : (
            <p className="quiet">A supervisor can stop them.</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>Off.</strong> <StoppedBy stop={data.stop} />
          </p>
          {mayChange ? <ResumeButton stop={data.stop} /> : <p className="quiet">A supervisor can resume them.</p>}
        </>
      )}
      {isAsking ? <StopDialog onClose={() => setIsAsking(false)} /> : null}
    </section>
  );
}

function StoppedBy({ stop }: { readonly stop: Stop }) {
  return (
    <>
      Stopped by {describeActor(stop.stoppedBy)}, <When at={stop.stoppedAt} long />.
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (note.trim() !== "") stop.mutate();
  };
  return (
    <Modal opened onClose={onClose} title="Stop all automatic effects" closeButtonProps={{ "aria-label": "Close" }}>
      <form className="action-form" onSubmit={submit}>
        <p>
          From now on no accept or cancel that the rules decide is sent, for any source. What they want done waits for a
          person, including what is decided and not sent yet.
        </p>
        <p className="quiet">
          What people decide is still sent. What was sent already goes on to its end. Statuses are read as before.
        </p>
        <Textarea
          label="Why"
          description="Everybody sees it on every page until somebody resumes."
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {stop.isError ? <ErrorNotice problem={stop.error} title="It is not certain that they are stopped" /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" className="danger-filled" disabled={note.trim() === ""} loading={stop.isPending}>
            Stop all automatic effects
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

function ResumeButton({ stop }: { readonly stop: Stop }) {
  const { user } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  if (!isRoleAtLeast(user.role, requiredRoles.changeAutomation)) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Resume …
      </Button>
      {isAsking ? <ResumeDialog stop={stop} onClose={() => setIsAsking(false)} /> : null}
    </>
  );
}

/** Ends the stop that was shown when it opened, so that one that somebody has made since is not ended unseen. */
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
    <Modal opened onClose={onClose} title="Resume automatic effects" closeButtonProps={{ "aria-label": "Close" }}>
      <form
        className="action-form"
        onSubmit={(event) => {
          event.preventDefault();
          resume.mutate();
        }}
      >
        <p>
          The rules act again, for every source. Cases that waited only because of the stop are decided anew at once, so
          accepts and cancels may be sent right away.
        </p>
        <p className="quiet">Cases that somebody has taken over meanwhile stay with them.</p>
        <div>
          <p className="quiet">
            <StoppedBy stop={seen} />
          </p>
          <blockquote className="note">{seen.note}</blockquote>
        </div>
        {resume.isError ? <ErrorNotice problem={resume.error} title="Nothing was resumed" /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" loading={resume.isPending} data-autofocus>
            Resume
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Cases change with the switch as well. */
function useReload(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}
