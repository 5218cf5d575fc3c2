import { problem, success } from "../../http/route.ts";
import { requiredRoles } from "../people/required-roles.ts";
import type { Tasks } from "../ports.ts";
import { closeTaskBody, noteOf } from "./action-requests.ts";
import { noSuch, route } from "./api-surface.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import { taskListQuery } from "./requests.ts";
import { taskClosed, taskList } from "./responses.ts";

export const workTag = "Work of people";

type Needs = {
  readonly tasks: Tasks;
};

export const taskRoutes = [
  route({
    method: "get",
    path: "/tasks",
    role: requiredRoles.readTasks,
    operationId: "listTasks",
    tag: workTag,
    summary: "Follow-up tasks of cases: with state=open soonest due first, else newest first",
    query: taskListQuery,
    responses: { 200: success("One page.", taskList) },
    async handle({ query, caller }, { tasks }: Needs) {
      const { state = null, kind = null, limit } = query;
      const list = state === "open" ? "tasks-due" : "tasks";
      const page = await tasks.list({
        visible: caller.sources,
        state,
        kind,
        after: positionAfter(list, query.cursor),
        limit,
      });
      return { body: pageFrom(list, page) };
    },
  }),
  route({
    method: "post",
    path: "/tasks/{id}/close",
    role: requiredRoles.closeTasks,
    operationId: "closeTask",
    tag: workTag,
    summary: "Marks a task as done",
    body: closeTaskBody,
    responses: {
      200: success("It is closed.", taskClosed),
      404: noSuch("task"),
      409: problem("It was closed before.", "api.task_closed"),
    },
    async handle({ params: { id }, body, caller }, { tasks }: Needs) {
      const closed = await tasks.close(id, {
        actor: caller.actor,
        visible: caller.sources,
        note: noteOf(body.note),
      });
      if (closed === null) return null;
      if (closed) return { body: { id, state: "closed" as const } };
      return {
        status: 409,
        code: "api.task_closed",
        title: "The task is closed already",
        detail: `Task ${id} was closed before. There is nothing left to do.`,
      };
    },
  }),
] as const;
