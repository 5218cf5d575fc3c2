import { Button, NativeSelect, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { TaskRow } from "../api/answers.ts";
import { api } from "../api/api-client.ts";
import { CloseTask } from "../parts/close-task.tsx";
import { ErrorNotice, Waiting } from "../parts/notices.tsx";
import { When } from "../parts/when.tsx";
import { describeActor } from "../words/state-words.ts";
import { describeTaskKind, taskKinds } from "../words/task-words.ts";

const shownStates = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Done" },
];

/** Tasks are rarely opened, and nothing announces them. */
const refreshMs = 15_000;

/** What is left for people after a case is done: tickets and refunds to check. */
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
  const items = tasks.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <title>Tasks · Skedchange</title>
      <div className="page-head">
        <h1>Tasks</h1>
        <p className="quiet">What is left for people once the gateway has done its part.</p>
      </div>
      <div className="filters">
        <SegmentedControl aria-label="State" data={shownStates} value={state} onChange={setState} />
        <NativeSelect
          aria-label="Kind"
          data={[{ value: "", label: "Every kind" }, ...taskKinds]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
      </div>
      {tasks.isError ? <ErrorNotice problem={tasks.error} onRetry={() => void tasks.refetch()} /> : null}
      {tasks.isPending ? <Waiting label="Loading" /> : null}
      {tasks.data !== undefined && items.length === 0 ? (
        <div className="empty">
          <h2>{state === "open" ? "Nothing is left to check" : "Nothing has been checked yet"}</h2>
          <p>
            A task appears when accepting changed the flight, the date or the routing of a ticket, or when less money
            came back than expected.
          </p>
        </div>
      ) : null}
      {items.length === 0 ? null : <TaskTable items={items} />}
      {tasks.hasNextPage ? (
        <div className="list-foot">
          <Button variant="default" loading={tasks.isFetchingNextPage} onClick={() => void tasks.fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}

function TaskTable({ items }: { readonly items: readonly TaskRow[] }) {
  return (
    <div className="table-box">
      <table className="cases">
        <caption>
          <VisuallyHidden>Tasks</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Task</th>
            <th scope="col">Why</th>
            <th scope="col">Since</th>
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
              <td className="waits">
                <When at={task.openedAt} />
              </td>
              <td className="waits">
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
