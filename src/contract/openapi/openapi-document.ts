import type { ApiDescription, ApiParts } from "./api-parts.ts";
import type { Json } from "./schema-collection.ts";

export interface OpenApiDocumentOptions {
  readonly title: string;
  readonly description: string;
  /** The version of the program that serves the routes. */
  readonly version: string;
  /** Default: the address of the document. */
  readonly serverUrl?: string;
  /** Those with which the descriptions were made. */
  readonly parts: ApiParts;
  readonly descriptions: readonly ApiDescription[];
}

/** Joins the descriptions of all features into one OpenAPI 3.1 document. */
export function openApiDocument(options: OpenApiDocumentOptions): Json {
  const { title, description, version, serverUrl = "/", parts, descriptions } = options;
  const webhooks = merged(descriptions.map((each) => each.webhooks ?? {}));
  const parameters = merged(descriptions.map((each) => each.parameters ?? {}));
  const { paths, responses } = shareResponses(merged(descriptions.map((each) => each.paths)));
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: serverUrl }],
    tags: descriptions.flatMap(({ tags }) => tags),
    paths,
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: merged(descriptions.map(({ securitySchemes }) => securitySchemes)),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
      responses,
      schemas: parts.components(),
    },
  };
}

type Operations = Readonly<Record<string, Json & { readonly responses: Json }>>;

/** Makes a response of several routes a component, such as `Response401`. */
function shareResponses(paths: Json): { readonly paths: Json; readonly responses: Json } {
  const uses = new Map<string, number>();
  mapResponses(paths, (_status, response) => {
    const text = JSON.stringify(response);
    uses.set(text, (uses.get(text) ?? 0) + 1);
    return response;
  });
  const names = new Map<string, string>();
  const shared = mapResponses(paths, (status, response) => {
    const text = JSON.stringify(response);
    if (uses.get(text) === 1 || text.length < refLengthMin) return response;
    if (!names.has(text)) {
      const others = [...names.values()].filter((name) => name.startsWith(`Response${status}`)).length;
      names.set(text, `Response${status}${others === 0 ? "" : `-${others + 1}`}`);
    }
    return { $ref: `#/components/responses/${names.get(text)}` };
  });
  return { paths: shared, responses: Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)])) };
}

/** Shorter ones are easier to read in place. */
const refLengthMin = 80;

function mapResponses(paths: Json, map: (status: string, response: unknown) => unknown): Json {
  return mapValues(paths, (_path, item) =>
    mapValues(item as Operations, (_method, operation) => ({
      ...operation,
      responses: mapValues(operation.responses, map),
    })),
  );
}

function mapValues<Value>(object: Readonly<Record<string, Value>>, map: (key: string, value: Value) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(key, value)]));
}

/** @throws Error if two features describe the same thing. */
function merged(objects: readonly Json[]): Json {
  const entries = objects.flatMap((each) => Object.entries(each));
  const all = Object.fromEntries(entries);
  if (Object.keys(all).length === entries.length) return all;
  const names = entries.map(([name]) => name);
  throw new Error(`Described twice: ${names.filter((name, index) => names.indexOf(name) !== index).join(", ")}.`);
}
