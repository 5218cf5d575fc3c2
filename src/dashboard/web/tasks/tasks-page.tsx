import { Button, Checkbox, NativeSelect, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "wouter";
import { counted } from "../../../kernel/counted.ts";
import { searchOf, type TaskFilters } from "../api/api-client.ts";
import { useList } from "../api/hooks.ts";
import type { TaskRow } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { DueByWithRule } from "../components/due-by.tsx";
import { ExportCsv } from "../components/export-csv.tsx";
import { PagedList } from "../components/paged-list.tsx";
import { SearchField } from "../components/search-field.tsx";
import { SelectAll } from "../components/select-all.tsx";
import { toggle } from "../components/toggle-range.ts";
import { useNow, When } from "../components/when.tsx";
import { assigneeChoices, describeActor, usernameOf } from "../labels/state-words.ts";
import type { Selection } from "../queue/case-table.tsx";
import { TaskDialog, type TaskDialogName } from "./task-dialogs.tsx";
import {
  describeTaskKind,
  describeTouchedFlight,
  leftToSystem,
  type TaskGrouping,
  taskGroups,
  taskKinds,
  taskVerb,
} from "./task-words.ts";
import "./tasks-page.css";

const refreshMs = 15_000;
const typingPauseMs = 300;

export function TasksPage() {
  const mayClose = useMay("closeTasks");
  const [filters, setFilters] = useState<TaskFilters>({ state: "open", kind: "", assignee: "", words: "" });
  const [grouping, setGrouping] = useState<TaskGrouping>("none");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [words] = useDebouncedValue(filters.words.trim(), typingPauseMs);
  const tasks = useList(
    "POST /tasks/search",
    { body: { ...searchOf({ ...filters, words }), limit: 50 } },
    { refetchInterval: refreshMs },
  );
  const change = (part: Partial<TaskFilters>): void => {
    setSelected(new Set());
    setFilters((current) => ({ ...current, ...part }));
  };
  const isOpen = filters.state === "open";
  const mayChange = isOpen && mayClose;
  const items = tasks.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <div className="page-head">
        <h1>Tasks</h1>
        <p className="quiet">
          {isOpen ? "Follow-ups after a change was processed, soonest due first." : "Follow-ups that are done."}
        </p>
      </div>
      <TaskFilterBar filters={filters} onChange={change} grouping={grouping} onGroup={setGrouping} />
      <TaskBar tasks={items.filter(({ id }) => selected.has(id))} onClear={() => setSelected(new Set())} />
      <PagedList list={tasks} empty={emptyOf(filters)}>
        {(found) => (
          <TaskTable
            items={found}
            grouping={grouping}
            selection={mayChange ? { selected, onChange: setSelected } : null}
          />
        )}
      </PagedList>
    </>
  );
}

function emptyOf({ state, kind, assignee, words }: TaskFilters) {
  if (kind !== "" || assignee !== "" || words !== "") {
    return { title: "No task matches", text: "Remove a filter to see more." };
  }
  return {
    title: state === "open" ? "No open tasks" : "No completed tasks yet",
    text: "A task appears when an accepted change alters the flight, date or routing of a ticket, when a refund is lower than expected, or when a traveller must be informed of a change.",
  };
}

interface TaskFilterBarProps {
  readonly filters: TaskFilters;
  readonly onChange: (change: Partial<TaskFilters>) => void;
  readonly grouping: TaskGrouping;
  readonly onGroup: (grouping: TaskGrouping) => void;
}

function TaskFilterBar({ filters, onChange, grouping, onGroup }: TaskFilterBarProps) {
  const { state, kind, assignee, words } = filters;
  return (
    <search className="filters">
      <SearchField value={words} onChange={(text) => onChange({ words: text })} />
      <SegmentedControl
        aria-label="State"
        data={[
          { value: "open", label: "Open" },
          { value: "closed", label: "Done" },
        ]}
        value={state}
        onChange={(chosen) => onChange({ state: chosen === "closed" ? "closed" : "open" })}
      />
      <NativeSelect
        aria-label="Kind"
        data={[{ value: "", label: "All kinds" }, ...taskKinds]}
        value={kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Assignee"
        data={[...assigneeChoices]}
        value={assignee}
        onChange={(event) => onChange({ assignee: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Group by"
        data={[
          { value: "none", label: "No groups" },
          { value: "flight", label: "By flight" },
          { value: "assignee", label: "By assignee" },
          { value: "kind", label: "By kind" },
        ]}
        value={grouping}
        onChange={(event) => onGroup(event.currentTarget.value as TaskGrouping)}
      />
      <ExportCsv
        list="/tasks.csv"
        query={{ state, kind, assignee }}
        search={words.trim() === "" ? null : { list: "/tasks/search.csv", body: searchOf(filters) }}
      />
    </search>
  );
}

/** What to do with the selected tasks. */
function TaskBar({ tasks, onClear }: { readonly tasks: readonly TaskRow[]; readonly onClear: () => void }) {
  const [dialog, setDialog] = useState<TaskDialogName | null>(null);
  const close = (): void => {
    setDialog(null);
    onClear();
  };
  return (
    <>
      {tasks.length === 0 ? null : (
        <section className="bulk-bar" aria-label="Selected tasks">
          <strong>{counted(tasks.length, "task")} selected</strong>
          <Button onClick={() => setDialog("close")}>Mark done …</Button>
          <Button variant="default" onClick={() => setDialog("assign")}>
            Assign …
          </Button>
          <Button variant="default" onClick={onClear}>
            Clear selection
          </Button>
        </section>
      )}
      {dialog === null ? null : <TaskDialog name={dialog} tasks={tasks} onClose={close} />}
    </>
  );
}

interface TaskTableProps {
  readonly items: readonly TaskRow[];
  readonly grouping: TaskGrouping;
  /** Null if the tasks are done or the role may not change them. */
  readonly selection: Selection | null;
}

function TaskTable({ items, grouping, selection }: TaskTableProps) {
  const [asked, setAsked] = useState<{ readonly dialog: TaskDialogName; readonly task: TaskRow } | null>(null);
  const isDone = items[0]?.closedAt !== null;
  const columns = ["Order", "Task", "Reason", "Flight", ...(isDone ? ["Done"] : ["Due"]), "Assignee"];
  return (
    <div className="table-box">
      <table className="list cards">
        <caption>
          <VisuallyHidden>Tasks</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            {selection === null ? null : (
              <th scope="col" className="choose">
                <SelectAll
                  items={items}
                  selected={selection.selected}
                  label="Select all tasks shown"
                  onChange={(all) => selection.onChange(withAll(selection.selected, items, all))}
                />
              </th>
            )}
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {selection === null ? null : <th scope="col">Actions</th>}
          </tr>
        </thead>
        {taskGroups(items, grouping).map(({ title, tasks }) => (
          <tbody key={title}>
            {title === "" ? null : (
              <tr className="group">
                {selection === null ? null : (
                  <td className="choose">
                    <SelectAll
                      items={tasks}
                      selected={selection.selected}
                      label={`Select all of ${title}`}
                      onChange={(all) => selection.onChange(withAll(selection.selected, tasks, all))}
                    />
                  </td>
                )}
                <th scope="rowgroup" colSpan={columns.length + 1}>
                  {title} <span className="quiet">{tasks.length}</span>
                </th>
              </tr>
            )}
            {tasks.map((task) => (
              <TaskLine
                key={task.id}
                task={task}
                selection={selection}
                onAsk={(dialog) => setAsked({ dialog, task })}
              />
            ))}
          </tbody>
        ))}
      </table>
      {asked === null ? null : <TaskDialog name={asked.dialog} tasks={[asked.task]} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface TaskLineProps {
  readonly task: TaskRow;
  readonly selection: Selection | null;
  readonly onAsk: (dialog: TaskDialogName) => void;
}

function TaskLine({ task, selection, onAsk }: TaskLineProps) {
  const now = useNow();
  const name = `${describeTaskKind(task.kind).toLowerCase()} of ${task.orderId}`;
  return (
    <tr>
      {selection === null ? null : (
        <td className="choose">
          <Checkbox
            size="xs"
            aria-label={`Select: ${name}`}
            checked={selection.selected.has(task.id)}
            onChange={() => selection.onChange(toggle(selection.selected, task.id))}
          />
        </td>
      )}
      <th scope="row">
        <Link href={`/cases/${task.caseId}`} className="order">
          {task.orderId}
        </Link>
        <div className="quiet">{[...task.gdsBookingReferences, task.source].join(" · ")}</div>
      </th>
      <td>{describeTaskKind(task.kind)}</td>
      <td>
        {task.reasons.map(({ code, text }) => (
          <p key={code + text}>{text}</p>
        ))}
        {task.byEvent && task.closedAt === null ? <p className="quiet">{leftToSystem}</p> : null}
        {task.note === null ? null : <blockquote className="note">{task.note}</blockquote>}
      </td>
      <td data-label="Flight">
        {task.flights.length === 0
          ? "–"
          : task.flights.map((flight) => <div key={flight}>{describeTouchedFlight(flight)}</div>)}
      </td>
      <td className="waits" data-label={task.closedAt === null ? "Due" : "Done"}>
        {task.closedAt !== null ? (
          <>
            <When at={task.closedAt} />
            <div className="quiet">by {describeActor(task.closedBy ?? "", task.closedToken)}</div>
          </>
        ) : (
          <>
            {task.dueBy === null ? (
              "No deadline"
            ) : (
              <DueByWithRule dueBy={task.dueBy} now={now} verb={taskVerb(task.kind)} />
            )}
            <div className="quiet">
              opened <When at={task.openedAt} />
            </div>
          </>
        )}
      </td>
      <td data-label="Assignee">{usernameOf(task.assignee) ?? <span className="quiet">Unassigned</span>}</td>
      {selection === null ? null : (
        <td className="waits">
          <Button size="compact-sm" variant="default" aria-label={`Mark done: ${name}`} onClick={() => onAsk("close")}>
            Mark done …
          </Button>{" "}
          <Button size="compact-sm" variant="default" aria-label={`Assign: ${name}`} onClick={() => onAsk("assign")}>
            Assign …
          </Button>
        </td>
      )}
    </tr>
  );
}

function withAll(selected: ReadonlySet<string>, tasks: readonly TaskRow[], isSelected: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  for (const { id } of tasks) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  return next;
}
