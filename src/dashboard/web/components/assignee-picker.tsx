import { useState } from "react";
import { counted } from "../../../kernel/counted.ts";
import { useRead } from "../api/hooks.ts";
import { useSession } from "../api/session.ts";
import { ErrorCallout } from "./callouts.tsx";
import { ChoiceList, matchesWords } from "./choice-list.tsx";

interface AssigneePickerProps {
  /** Whoever is picked must see this source. Null: that of each case or task. */
  readonly source: string | null;
  /** A user name; empty for nobody. */
  readonly value: string;
  readonly onChange: (username: string) => void;
  /** Enter was pressed on somebody, to act at once. */
  readonly onEnter?: (username: string) => void;
}

/** Everybody who may be given work, with how much they have. The letters of a name and Enter pick somebody. */
export function AssigneePicker({ source, value, onChange, onEnter }: AssigneePickerProps) {
  const { user } = useSession();
  const [words, setWords] = useState("");
  const assignees = useRead("GET /assignees", { query: { source } }, { staleTime: 60_000 });
  if (assignees.isError) return <ErrorCallout problem={assignees.error} onRetry={() => void assignees.refetch()} />;
  const people = (assignees.data?.items ?? []).map(({ username, displayName, openCases, openTasks }) => ({
    id: username,
    names: `${username} ${displayName}${username === user.username ? " me" : ""}`,
    title: username === user.username ? `${displayName} (me)` : displayName,
    detail: [displayName === username ? "" : username, loadOf(openCases, openTasks)].filter((part) => part !== ""),
  }));
  const me = people.filter(({ id }) => id === user.username);
  const others = people.filter(({ id }) => id !== user.username);
  const found = [...me, unassigned, ...others].filter(({ names }) => matchesWords(names, words));
  return (
    <ChoiceList
      label="Assignee"
      isLabelShown
      placeholder="Name"
      words={words}
      onWords={setWords}
      initial={value === "" ? unassigned.id : value}
      choices={found.map(({ id, title, detail }) => ({
        id,
        content: (
          <>
            <span>{title}</span>
            <span className="quiet">{detail.join(" · ")}</span>
          </>
        ),
      }))}
      // A name that no user has is refused by the server, so that no letter is taken for somebody else.
      onActive={(id) => {
        if (!assignees.isPending) onChange(id === null ? words : usernameOf(id));
      }}
      onChoose={(id, by) => (by === "key" && onEnter !== undefined ? onEnter : onChange)(usernameOf(id))}
      empty={assignees.isPending ? "Loading …" : "No user who can be given this has such a name."}
    />
  );
}

/** A user name has no space. */
const unassigned = { id: "no one", names: "Unassigned none", title: "Unassigned", detail: [] };

function usernameOf(id: string): string {
  return id === unassigned.id ? "" : id;
}

function loadOf(cases: number, tasks: number): string {
  const parts = [counted(cases, "case"), ...(tasks === 0 ? [] : [counted(tasks, "task")])];
  return parts.join(", ");
}
