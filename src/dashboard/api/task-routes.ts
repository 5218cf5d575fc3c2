import type { z } from "zod";
import { problem, routes, success } from "../../http/route.ts";
import { requiredRoles } from "../people/required-roles.ts";
import type { TaskFilter, Tasks, TasksChanged } from "../task-ports.ts";
import { assigneeOf, assignTasksBody, closeTaskBody, closeTasksBody, noteOf } from "./action-requests.ts";
import { invalidBody, noSuch, route } from "./api-surface.ts";
import { assigneeFilter, namesSoughtBy } from "./case-selection.ts";
import { type CursorList, pageFrom, positionAfter } from "./cursor.ts";
import { type Identity, toCaller } from "./identity.ts";
import { taskListQuery, taskSearchBody } from "./requests.ts";
import { taskClosed, taskList, tasksChanged } from "./responses.ts";

export const workTag = {
  name: "Work of people",
  description: "What is left to do when cases are done, and actions on many cases.",
};

type Needs = {
  readonly tasks: Tasks;
};

export const taskRoutes = routes(workTag.name, {
  listTasks: route("GET /tasks", requiredRoles.readTasks, {
    summary: "Follow-up tasks of cases: with state=open soonest due first, else newest first",
    query: taskListQuery,
    responses: { 200: success("One page.", taskList) },
    async handle({ query, caller }, { tasks }: Needs) {
      const list = listOf(query.state);
      const filter = { ...filterOf(query, caller), words: [], namesSoughtBy: null };
      return { body: pageFrom(list, await tasks.list({ ...filter, after: positionAfter(list, query.cursor) })) };
    },
  }),
  searchTasks: route("POST /tasks/search", requiredRoles.readTasks, {
    summary: "Follow-up tasks by what their cases are found by",
    description: "As GET /tasks, with the `text` of POST /cases/search: a name must not stand in an address.",
    body: taskSearchBody,
    responses: {
      200: success("One page.", taskList),
      400: problem("The cursor cannot be read.", "api.cursor_invalid", "api.not_json", "api.bad_request"),
    },
    async handle({ body, caller }, { tasks }: Needs) {
      const { text: words = [] } = body;
      const list = listOf(body.state);
      const filter = { ...filterOf(body, caller), words, namesSoughtBy: namesSoughtBy(caller) };
      return { body: pageFrom(list, await tasks.list({ ...filter, after: positionAfter(list, body.cursor) })) };
    },
  }),
  closeTask: route("POST /tasks/{id}/close", requiredRoles.closeTasks, {
    summary: "Marks a task as done",
    body: closeTaskBody,
    responses: {
      200: success("It is closed.", taskClosed),
      404: noSuch("task"),
      409: problem("It was closed before.", "api.task_closed"),
    },
    async handle({ params: { id }, body, caller }, { tasks }: Needs) {
      const { changed, closedBefore } = await tasks.close([id], { ...toCaller(caller), note: noteOf(body.note) });
      if (changed.length > 0) return { body: { id, state: "closed" as const } };
      if (closedBefore.length === 0) return null;
      return {
        status: 409,
        code: "api.task_closed",
        title: "The task is closed already",
        detail: `Task ${id} was closed before. There is nothing left to do.`,
      };
    },
  }),
  closeTasks: route("POST /tasks/close", requiredRoles.closeTasks, {
    summary: "Marks several tasks as done",
    body: closeTasksBody,
    responses: { 200: success("All of them that exist are closed.", tasksChanged) },
    async handle({ body: { ids, note }, caller }, { tasks }: Needs) {
      return { body: describeChanged(ids, await tasks.close(ids, { ...toCaller(caller), note: noteOf(note) })) };
    },
  }),
  assignTasks: route("POST /tasks/assign", requiredRoles.closeTasks, {
    summary: "Changes who does tasks",
    body: assignTasksBody,
    responses: {
      200: success("All of them that are open have the assignee.", tasksChanged),
      422: invalidBody("desk.assignee_unknown"),
    },
    async handle({ body, caller }, { tasks }: Needs) {
      const assignee = assigneeOf(body.assignee, caller.username);
      const outcome = await tasks.assign(body.ids, { ...toCaller(caller), assignee });
      if (outcome !== "assignee-refused") return { body: describeChanged(body.ids, outcome) };
      return {
        status: 422,
        code: "desk.assignee_unknown",
        title: "The tasks were not assigned",
        detail: `There is no user '${assignee}' who can do all of these tasks. Choose an enabled user with the role agent or above who sees their sources.`,
      };
    },
  }),
});

function listOf(state: TaskFilter["state"] | undefined): CursorList {
  return state === "open" ? "tasks-due" : "tasks";
}

type Asked = z.output<typeof taskListQuery>;

function filterOf({ state, kind, assignee, limit }: Omit<Asked, "cursor">, { sources, actor }: Identity) {
  return {
    visible: sources,
    state: state ?? null,
    kind: kind ?? null,
    assignee: assigneeFilter(assignee, actor),
    limit,
  };
}

function describeChanged(ids: readonly string[], { changed, closedBefore }: TasksChanged) {
  const known = new Set([...changed, ...closedBefore]);
  return { changed: [...changed], closedBefore: [...closedBefore], unknown: ids.filter((id) => !known.has(id)) };
}
