import { eventually } from "./eventually.ts";

/** A case as `GET /api/v1/cases` lists it; the parts that stories look at. */
export interface ListedCase {
  readonly id: string;
  readonly orderId: string;
  readonly state: string;
  readonly version: number;
  readonly dueAt: string | null;
  readonly lastError: { readonly code: string } | null;
  readonly decision: {
    readonly action: string;
    readonly rule: string;
    readonly reasons: { readonly code: string }[];
  } | null;
}

/** The agency side as an integrator uses it, over HTTP. */
export interface AgencyApi {
  postOcn(body: Uint8Array | string, authorization: string): Promise<{ status: number; body: unknown }>;
  get(path: string): Promise<unknown>;
  /** Whatever the status is. */
  getText(path: string): Promise<{ status: number; text: string }>;
  /** Every case, page by page. */
  listCases(query?: string): Promise<ListedCase[]>;
  /** The newest case of an order, once it is in one of the states. */
  caseIn(orderId: string, states: readonly string[], timeoutMs?: number): Promise<ListedCase>;
  act(caseId: string, action: string, parameters?: object): Promise<{ status: number; body: unknown }>;
  closeTask(id: string, note: string): Promise<{ status: number; body: unknown }>;
}

export function openAgencyApi(url: string, token: string): AgencyApi {
  const headers = { authorization: `Bearer ${token}` };
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, { headers });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  const listCases = async (query = ""): Promise<ListedCase[]> => {
    const found: ListedCase[] = [];
    let cursor: string | null = null;
    do {
      const parameters: string = [query, "limit=200", cursor === null ? "" : `cursor=${cursor}`]
        .filter(Boolean)
        .join("&");
      const page = (await get(`/api/v1/cases?${parameters}`)) as { items: ListedCase[]; nextCursor: string | null };
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  };
  const post = async (path: string, body: string | Uint8Array, authorization: string) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    postOcn: (body, authorization) => post("/ocn", body, authorization),
    get,
    getText: async (path) => {
      const response = await fetch(`${url}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
    listCases,
    caseIn: async (orderId, states, timeoutMs = 30_000) => {
      let newest: ListedCase | undefined;
      await eventually(
        async () => {
          [newest] = await listCases(`orderId=${encodeURIComponent(orderId)}`);
          if (newest === undefined || !states.includes(newest.state)) {
            throw new Error(`order ${orderId} is ${newest?.state ?? "without a case"}, not ${states.join(" or ")}`);
          }
        },
        { timeoutMs },
      );
      return newest as unknown as ListedCase;
    },
    act: (caseId, action, parameters = {}) =>
      post(`/api/v1/cases/${caseId}/actions`, JSON.stringify({ action, ...parameters }), headers.authorization),
    closeTask: (id, note) => post(`/api/v1/tasks/${id}/close`, JSON.stringify({ note }), headers.authorization),
  };
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
}
