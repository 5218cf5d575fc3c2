import { routes, success } from "../../http/route.ts";
import { examination, type Installation, processList, settingList } from "../installation-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { ofEverySource, route } from "./api-surface.ts";

export const installationTag = { name: "Installation", description: "What runs, with which settings, and how it is." };

export const installationRoutes = routes(installationTag.name, {
  readSettings: route("GET /settings", ofEverySource(requiredRoles.readInstallation), {
    summary: "The settings in force, secrets only as set or not set",
    responses: { 200: success("Every setting.", settingList) },
    async handle(
      _request,
      { installation: { version, demo, roles, settings } }: { readonly installation: Installation },
    ) {
      return { body: { version, demo, roles, items: settings } };
    },
  }),
  readHealth: route("GET /health", ofEverySource(requiredRoles.readInstallation), {
    summary: "What `skedchange doctor` finds, seen from the process that responds",
    description: "A result serves everybody who asks within 5 seconds.",
    responses: { 200: success("Each check, also those that found nothing wrong.", examination) },
    async handle(_request, { installation }: { readonly installation: Installation }) {
      const { at, findings } = await installation.examine();
      return { body: { at, items: findings } };
    },
  }),
  listProcesses: route("GET /processes", ofEverySource(requiredRoles.readInstallation), {
    summary: "Which processes run, with which roles",
    description: "A process that was killed is listed for up to 90 seconds.",
    responses: { 200: success("Longest running first.", processList) },
    async handle(_request, { installation }: { readonly installation: Installation }) {
      const processes = await installation.listProcesses();
      return { body: { items: processes.map(({ roles, version, startedAt }) => ({ roles, version, startedAt })) } };
    },
  }),
});
