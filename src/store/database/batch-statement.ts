import type pg from "pg";

/** A statement over many rows at once. */
export interface BatchStatement<Row, Answer = unknown> {
  /** Runs it for all rows, in their order, in as few round trips as prepared sizes allow; for none it does nothing. */
  run(client: pg.PoolClient, rows: readonly Row[]): Promise<readonly Answer[]>;
}

export interface BatchStatementOptions<Row> {
  /** Short and unique: statements are prepared under `<name>_<rows>` on every connection. */
  readonly name: string;
  /** PostgreSQL types of one row's parameters. */
  readonly types: readonly string[];
  /** The statement around its list of rows, `($1::text, …), …`. */
  readonly text: (values: string) => string;
  readonly parameters: (row: Row) => readonly unknown[];
}

/** Rows of one execution. */
const rowsMax = 64;

/** Longest wait for one execution. */
const timeoutMs = 10_000;

/**
 * Makes a statement that takes its rows as a list of VALUES and is prepared for sizes that are powers of two: seven plans
 * per connection serve every number of rows. Unnesting arrays was measured to cost more than twice as much for bodies.
 */
export function createBatchStatement<Row, Answer extends pg.QueryResultRow>(
  options: BatchStatementOptions<Row>,
): BatchStatement<Row, Answer> {
  const texts = new Map<number, string>();
  const textFor = (size: number): string => {
    const known = texts.get(size);
    if (known !== undefined) return known;
    const text = options.text(valuesList(options.types, size));
    texts.set(size, text);
    return text;
  };

  return {
    async run(client, rows) {
      const answers: Answer[] = [];
      for (let start = 0; start < rows.length; ) {
        const size = largestPowerOfTwo(Math.min(rows.length - start, rowsMax));
        const query = {
          name: `${options.name}_${size}`,
          text: textFor(size),
          values: rows.slice(start, start + size).flatMap(options.parameters),
          query_timeout: timeoutMs,
        };
        const result = await client.query<Answer>(query);
        answers.push(...result.rows);
        start += size;
      }
      return answers;
    },
  };
}

function valuesList(types: readonly string[], size: number): string {
  const rows = Array.from({ length: size }, (_, row) => {
    const parameters = types.map((type, column) => `$${row * types.length + column + 1}::${type}`);
    return `(${parameters.join(", ")})`;
  });
  return rows.join(", ");
}

function largestPowerOfTwo(limit: number): number {
  return 2 ** Math.floor(Math.log2(limit));
}
