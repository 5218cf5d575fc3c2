import type { z } from "zod";
import { problemSchema } from "./problem-schema.ts";
import { createSchemaCollection, type Json, type SchemaCollection } from "./schema-collection.ts";

/** How the features write the parts of an OpenAPI document that describe their routes. */
export interface ApiParts extends SchemaCollection {
  /** A response with a JSON body. */
  response(description: string, schema: z.ZodType, example?: unknown): Json;
  /** A response with a JSON body for which there is no schema of ours. */
  looseResponse(description: string, schema: Json): Json;
  /** A response with a problem document, and the values that its `code` may have. */
  problem(description: string, codes?: readonly string[]): Json;
  /** A JSON body that must be there. */
  body(schema: z.ZodType, example?: unknown): Json;
  /** The parameters of a query. */
  parametersOf(query: z.ZodObject): readonly Json[];
}

/** What one feature adds to an OpenAPI document. */
export interface ApiDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Json;
  readonly webhooks?: Json;
  readonly securitySchemes: Json;
}

export function createApiParts(): ApiParts {
  const schemas = createSchemaCollection();
  const { schemaOf } = schemas;
  const json = (schema: Json, example: unknown): Json => ({
    "application/json": { schema, ...(example === undefined ? {} : { examples: { usual: { value: example } } }) },
  });
  return {
    ...schemas,
    response: (description, schema, example) => ({ description, content: json(schemaOf(schema), example) }),
    looseResponse: (description, schema) => ({ description, content: json(schema, undefined) }),
    problem: (description, codes = []) => ({
      description: codes.length === 0 ? description : `${description} \`code\`: ${codes.map(quoted).join(", ")}.`,
      content: { "application/problem+json": { schema: schemaOf(problemSchema) } },
    }),
    body: (schema, example) => ({ required: true, content: json(schemaOf(schema, "input"), example) }),
    parametersOf: (query) =>
      Object.entries(query.shape).map(([name, parameter]) => {
        const { description, ...schema } = schemaOf(parameter as z.ZodType, "input");
        const documented = description === undefined ? {} : { description };
        return { name, in: "query", required: false, ...documented, schema };
      }),
  };
}

/** A parameter of a path. */
export function pathParameter(name: string, schema: Json = { type: "string" }): Json {
  return { name, in: "path", required: true, schema };
}

function quoted(code: string): string {
  return `\`${code}\``;
}
