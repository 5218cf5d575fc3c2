import { problem } from "../../http/route.ts";
import type { EventStreams } from "../event-streams.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { caseChangeEvent } from "./responses.ts";

export const eventRoutes = [
  route({
    method: "get",
    path: "/events",
    role: requiredRoles.followEvents,
    operationId: "followEvents",
    tag: casesTag,
    summary: "Which cases change, as it happens",
    description:
      "Server-sent events. The event `cases` names the cases that changed, at most twice a second; comments in between keep the stream open.",
    responses: {
      200: { description: "A stream that does not end by itself.", content: { "text/event-stream": caseChangeEvent } },
      503: problem(
        "No stream is free, or the database cannot be reached; try again after Retry-After.",
        "api.no_stream_free",
        "api.unavailable",
      ),
    },
    handle({ caller, request, response }, { events }: { readonly events: EventStreams }) {
      if (request.method === "HEAD") return { headers: { "Content-Type": "text/event-stream; charset=utf-8" } };
      if (events.open(response, { username: caller.username, seesAll: caller.sources === null })) return () => {};
      return {
        status: 503,
        code: "api.no_stream_free",
        title: "No stream is free",
        detail:
          "This process has no free event stream for you, or is stopping. Close other pages, or refresh the list instead.",
        headers: { "Retry-After": "10" },
      };
    },
  }),
] as const;
