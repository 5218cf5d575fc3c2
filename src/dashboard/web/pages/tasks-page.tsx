import { NativeSelect, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api } from "../api/api-client.ts";
import type { TaskRow } from "../api/responses.ts";
import { CloseTask } from "../parts/close-task.tsx";
import { DueByWithRule } from "../parts/due-by.tsx";
import { ExportCsv } from "../parts/export-csv.tsx";
import { PagedList } from "../parts/paged-list.tsx";
import { useNow, When } from "../parts/when.tsx";
import { describeActor } from "../words/state-words.ts";
import { describeTaskKind, taskKinds } from "../words/task-words.ts";

const shownStates = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Done" },
];

const refreshMs = 15_000;

export function TasksPage() {
  const [state, setState] = useState("open");
  const [kind, setKind] = useState("");
  const tasks = useInfiniteQuery({
    queryKey: ["tasks", state, kind],
    queryFn: ({ pageParam }) => api.listTasks(state, kind, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  return (
    <>
      <title>Tasks · Skedchange</title>
      <div className="page-head">
        <h1>Tasks</h1>
        <p className="quiet">
          {state === "open"
            ? "Follow-ups after a change was processed, soonest due first."
            : "Follow-ups that are done."}
        </p>
      </div>
      <div className="filters">
        <SegmentedControl aria-label="State" data={shownStates} value={state} onChange={setState} />
        <NativeSelect
          aria-label="Kind"
          data={[{ value: "", label: "All kinds" }, ...taskKinds]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
        <ExportCsv list="/tasks.csv" query={{ state, kind }} />
      </div>
      <PagedList
        list={tasks}
        empty={{
          title: state === "open" ? "No open tasks" : "No completed tasks yet",
          text: "A task appears when an accepted change alters the flight, date or routing of a ticket, or when a refund is lower than expected.",
        }}
      >
        {(items) => <TaskTable items={items} />}
      </PagedList>
    </>
  );
}

function TaskTable({ items }: { readonly items: readonly TaskRow[] }) {
  const now = useNow();
  return (
    <div className="table-box">
      <table className="cases cards">
        <caption>
          <VisuallyHidden>Tasks</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Task</th>
            <th scope="col">Reason</th>
            <th scope="col">Due</th>
            <th scope="col">Opened</th>
            <th scope="col">Done</th>
          </tr>
        </thead>
        <tbody>
          {items.map((task) => (
            <tr key={task.id}>
              <th scope="row">
                <Link href={`/cases/${task.caseId}`} className="order">
                  {task.orderId}
                </Link>
                <div className="quiet">{task.source}</div>
              </th>
              <td>{describeTaskKind(task.kind)}</td>
              <td>
                {task.reasons.map(({ code, text }) => (
                  <p key={code + text}>{text}</p>
                ))}
                {task.note === null ? null : <blockquote className="note">{task.note}</blockquote>}
              </td>
              <td data-label="Due">
                {task.closedAt !== null || task.dueBy === null ? null : (
                  <DueByWithRule dueBy={task.dueBy} now={now} verb="check" />
                )}
              </td>
              <td className="waits" data-label="Opened">
                <When at={task.openedAt} />
              </td>
              <td className="waits" data-label={task.closedAt === null ? undefined : "Done"}>
                {task.closedAt === null ? (
                  <CloseTask task={task} />
                ) : (
                  <>
                    <When at={task.closedAt} />
                    <div className="quiet">by {describeActor(task.closedBy ?? "")}</div>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
