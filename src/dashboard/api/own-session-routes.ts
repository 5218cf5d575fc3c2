import { problem, routes, success } from "../../http/route.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { People } from "../people/people.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { done, noSuchOf, route } from "./api-surface.ts";
import { sessionList, sessionsEnded } from "./people-responses.ts";
import { peopleTag, sessionNeeded } from "./session-routes.ts";

type Needs = {
  readonly people: Pick<People, "listSessions" | "endSessions">;
  readonly cookie: SessionCookie;
  readonly logger: Logger;
};

const personNeeded = problem(
  "This takes a signed-in person, on a page of the dashboard.",
  "people.session_needed",
  "people.token_read_only",
  "people.password_change_needed",
  "people.second_factor_needed",
  "people.bad_origin",
);

const noToken = sessionNeeded("A token cannot see or end sessions. Sign in and do it there.");

/** `/sessions`: in which browsers somebody is signed in. */
export const ownSessionRoutes = routes(peopleTag.name, {
  listSessions: route("GET /sessions", requiredRoles.ownSessions, {
    summary: "One's own running sessions, the last used first. Needs a session, not a token",
    responses: { 200: success("At most 20.", sessionList), 403: personNeeded },
    async handle({ caller: { userId, via }, request }, { people, cookie }: Needs) {
      const sessionToken = cookie.read(request);
      if (userId === null || via !== "session" || sessionToken === null) return noToken;
      return { body: { items: await people.listSessions(userId, sessionToken) } };
    },
  }),
  endOtherSessions: route("DELETE /sessions", requiredRoles.ownSessions, {
    summary: "Ends all of one's own sessions but this one. Needs a session, not a token",
    responses: { 200: success("Ended.", sessionsEnded), 403: personNeeded },
    async handle({ caller, request }, { people, cookie, logger }: Needs) {
      const { userId, via } = caller;
      const sessionToken = cookie.read(request);
      if (userId === null || via !== "session" || sessionToken === null) return noToken;
      const ended = await people.endSessions({ userId, exceptToken: sessionToken }, caller);
      logger.info({ userId, ended, by: userId }, "people.sessions_ended");
      return { body: { ended } };
    },
  }),
  endSession: route("DELETE /sessions/{id}", requiredRoles.ownSessions, {
    summary: "Ends one of one's own sessions. Needs a session, not a token",
    responses: {
      204: done,
      403: personNeeded,
      404: noSuchOf(
        "session",
        "There is no such session, or not any more.",
        (id) => `You have no session with the id '${id}', or it has ended.`,
      ),
    },
    async handle({ params: { id }, caller }, { people, logger }: Needs) {
      const { userId, via } = caller;
      if (userId === null || via !== "session") return noToken;
      const ended = await people.endSessions({ userId, sessionId: id }, caller);
      if (ended === 0) return null;
      logger.info({ userId, ended, by: userId }, "people.sessions_ended");
      return {};
    },
  }),
});
