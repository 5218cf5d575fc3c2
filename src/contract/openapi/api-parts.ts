import type { z } from "zod";
import { problemSchema } from "./problem-schema.ts";
import { createSchemaCollection, type Json, type SchemaCollection } from "./schema-collection.ts";

/** With these, features describe their routes in an OpenAPI document. */
export interface ApiParts extends SchemaCollection {
  response(description: string, schema: z.ZodType, example?: unknown): Json;
  /** For a JSON body without a schema of ours. */
  looseResponse(description: string, schema: Json): Json;
  /** A problem document, with the possible values of its `code`. */
  problem(description: string, codes?: readonly string[]): Json;
  body(schema: z.ZodType, example?: unknown): Json;
  parametersOf(query: z.ZodObject): readonly Json[];
}

export interface ApiDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Json;
  readonly webhooks?: Json;
  readonly securitySchemes: Json;
  /** The parameters that several routes refer to. */
  readonly parameters?: Json;
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

export function pathParameter(name: string, schema: Json = { type: "string" }): Json {
  return { name, in: "path", required: true, schema };
}

function quoted(code: string): string {
  return `\`${code}\``;
}
