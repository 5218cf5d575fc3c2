import { problem, routes } from "../../http/route.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { EventStreams } from "../event-streams.ts";
import type { People } from "../people/people.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { createSignedInCheck } from "./authenticate.ts";
import { casesTag } from "./case-routes.ts";
import { caseChangeEvent } from "./responses.ts";

export interface FollowNeeds {
  readonly events: EventStreams;
  readonly people: Pick<People, "findOpenSession" | "findByToken">;
  readonly cookie: SessionCookie;
}

export const eventRoutes = routes(casesTag.name, {
  followEvents: route("GET /events", requiredRoles.followEvents, {
    summary: "Which cases change, as it happens",
    description:
      "Server-sent events. The event `cases` names the cases that changed, at most twice a second; comments in between keep the stream open.",
    responses: {
      200: {
        description: "A stream that ends with the session or token that opened it.",
        content: { "text/event-stream": caseChangeEvent },
      },
      503: problem(
        "No stream is free, or the database cannot be reached; try again after Retry-After.",
        "api.no_stream_free",
        "api.unavailable",
      ),
    },
    handle({ caller, request, response }, { events, people, cookie }: FollowNeeds) {
      if (request.method === "HEAD") return { headers: { "Content-Type": "text/event-stream; charset=utf-8" } };
      const seesAll = caller.sources === null;
      const isSignedIn = createSignedInCheck(request, caller, { people, cookie });
      if (events.open(response, { username: caller.username, seesAll, isSignedIn })) return () => {};
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
});
