import { type Command, Option } from "commander";
import { taskKinds } from "../../cases/decision.ts";
import type { ApiTypes } from "../../dashboard/api/routes.ts";
import { taskStateNames } from "../../dashboard/task-ports.ts";
import { createApiClient } from "../api-client.ts";
import { addPageOptions, type PageOptions, printList } from "../list-page.ts";
import { addAgencyOptions, type ServerOptions } from "../server-options.ts";
import { printResponse, type Terminal } from "../terminal.ts";

interface TaskListOptions extends PageOptions {
  readonly state: string;
  readonly kind?: string;
  readonly assignee?: string;
}

interface CloseOptions extends ServerOptions {
  readonly note?: string;
}

type Task = ApiTypes["GET /tasks"]["response"]["items"][number];

export function addTasksCommand(program: Command, terminal: Terminal): void {
  const tasks = program.command("tasks").description("list and close the follow-up tasks of cases");

  const list = tasks
    .command("list")
    .description("list tasks: open ones soonest due first, others newest first")
    .addOption(new Option("--state <state>", "which").choices([...taskStateNames, "all"]).default("open"))
    .addOption(new Option("--kind <kind>", "only these").choices(taskKinds))
    .option("--assignee <user>", "only those of a user; `me` for your own, `none` for those of nobody");
  addPageOptions(list, terminal).action((options: TaskListOptions) => listTasks(options, terminal));

  const close = tasks
    .command("close")
    .description("mark a task as done")
    .argument("<id>", "the id of the task, as `tasks list` shows it")
    .option("--note <text>", "what was found or done; stored with the task");
  addAgencyOptions(close, terminal).action((id: string, options: CloseOptions) => closeTask(id, options, terminal));
}

async function listTasks(options: TaskListOptions, terminal: Terminal): Promise<void> {
  const { state, kind, assignee, limit, cursor } = options;
  const page = await createApiClient(terminal, options).call("GET /tasks", {
    query: { state: state === "all" ? undefined : state, kind, assignee, limit, cursor },
  });
  const isFiltered = state !== "open" || kind !== undefined || assignee !== undefined;
  printList(page, options, terminal, {
    empty: isFiltered ? "No task matches." : "No open tasks.",
    columns: {
      Task: ({ id }) => id,
      Order: ({ orderId }) => orderId,
      What: (task) => task.kind,
      Since: ({ openedAt }) => openedAt.slice(0, 16),
      Due: describeDue,
      Assignee: (task) => task.assignee?.replace("person:", ""),
      Done: describeEnd,
      Why: { flexible: ({ reasons, note }) => [...reasons.map(({ text }) => text), note ?? ""].join(" ") },
    },
  });
}

function describeDue({ dueBy }: Task): string {
  if (dueBy === null) return "";
  return `${dueBy.at.slice(0, 16)}${dueBy.overdue ? " overdue" : ""}`;
}

function describeEnd({ closedAt, closedBy }: Task): string {
  return closedAt === null ? "" : `${closedAt.slice(0, 16)} by ${closedBy ?? "nobody"}`;
}

async function closeTask(id: string, options: CloseOptions, terminal: Terminal): Promise<void> {
  const response = await createApiClient(terminal, options).call("POST /tasks/{id}/close", {
    params: { id },
    body: options.note === undefined ? {} : { note: options.note },
  });
  printResponse(response, options, terminal, `The task ${response.id} is done.`);
}
