import type { ApiDescription, ApiParts } from "./api-parts.ts";
import type { Json } from "./schema-collection.ts";

export interface OpenApiDocumentOptions {
  readonly title: string;
  readonly description: string;
  /** Version of the program that serves what is described. */
  readonly version: string;
  /** Where the paths are; not given: where the document is. */
  readonly serverUrl?: string;
  /** The parts that the descriptions were made with. */
  readonly parts: ApiParts;
  readonly descriptions: readonly ApiDescription[];
}

/** Joins what the features say of their routes into one OpenAPI 3.1 document. */
export function openApiDocument(options: OpenApiDocumentOptions): Json {
  const { title, description, version, serverUrl = "/", parts, descriptions } = options;
  const webhooks = merged(descriptions.map((each) => each.webhooks ?? {}));
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: serverUrl }],
    tags: descriptions.flatMap(({ tags }) => tags),
    paths: merged(descriptions.map(({ paths }) => paths)),
    ...(Object.keys(webhooks).length === 0 ? {} : { webhooks }),
    components: {
      securitySchemes: merged(descriptions.map(({ securitySchemes }) => securitySchemes)),
      schemas: parts.components(),
    },
  };
}

/** @throws Error when two features describe the same thing. */
function merged(objects: readonly Json[]): Json {
  const entries = objects.flatMap((each) => Object.entries(each));
  const all = Object.fromEntries(entries);
  if (Object.keys(all).length === entries.length) return all;
  const names = entries.map(([name]) => name);
  throw new Error(`Described twice: ${names.filter((name, index) => names.indexOf(name) !== index).join(", ")}.`);
}
