import { type Page, pageNames, pages } from "../../page-table.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import type { Session } from "../api/responses.ts";

const allPages: readonly Page[] = pageNames.map((name) => pages[name]);

export interface LinkedPage extends Page {
  readonly link: NonNullable<Page["link"]>;
}

/** In the bar of this user. */
export function linkedPages(session: Session): readonly LinkedPage[] {
  return allPages.filter((page): page is LinkedPage => page.link !== undefined && maySee(page, session));
}

/** Also for a page that is not in the bar. */
export function mayOpen(path: string, session: Session): boolean {
  const page = allPages.find((each) => each.path === path);
  return page === undefined || maySee(page, session);
}

function maySee({ role = "viewer", everySource, link }: Page, { demo, user }: Session): boolean {
  const isOfDemo = link?.isOfDemo === true;
  const seesAll = user.sources === null;
  return isRoleAtLeast(user.role, role) && (seesAll || (everySource !== true && !isOfDemo)) && (demo || !isOfDemo);
}
