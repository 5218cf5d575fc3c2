import { describe, expect, test } from "vitest";
import { type Sql, sql } from "../../../src/store/database/sql.ts";

const statementOf = ({ text, values }: Sql) => ({ text, values });

describe("a template", () => {
  test("binds its values in their order and keeps them out of the text", () => {
    const statement = sql`select ${"1'; drop table cases --"}, ${null}, ${[1, 2]}::int[]`;

    expect(statementOf(statement)).toEqual({
      text: "select $1, $2, $3::int[]",
      values: ["1'; drop table cases --", null, [1, 2]],
    });
  });

  test("takes in other templates, and numbers the values of all of them through", () => {
    const open = sql`state = ${"open"} and not ${sql`held_by = ${"ann"}`}`;
    const statement = sql`${sql`select`} id from t where a = ${1} and (${open}) and ${open} limit ${10}`;

    expect(statementOf(statement)).toEqual({
      text: "select id from t where a = $1 and (state = $2 and not held_by = $3) and state = $4 and not held_by = $5 limit $6",
      values: [1, "open", "ann", "open", "ann", 10],
    });
  });

  test("has the same text whatever its values are", () => {
    const count = (state: string) => sql`select count(*) from t where state = ${state}`;

    expect(count("open").text).toBe(count("closed").text);
  });

  test("is not changed by the one that takes it in", () => {
    const part = sql`a = ${1}`;
    void sql`select ${part} or ${part}`;

    expect(statementOf(part)).toEqual({ text: "a = $1", values: [1] });
  });

  test("binds what only looks like a template", () => {
    const lookalike = { texts: ["drop table cases"], values: [] };

    expect(statementOf(sql`select ${lookalike}`)).toEqual({ text: "select $1", values: [lookalike] });
  });
});

describe("parts of a statement", () => {
  test("a list has commas or another template between its items, which are values or templates", () => {
    expect(statementOf(sql`in (${sql.join([1, sql`now()`, sql`f(${2})`])})`)).toEqual({
      text: "in ($1, now(), f($2))",
      values: [1, 2],
    });
    expect(sql.join([sql`a`, sql`b`], sql` or `).text).toBe("a or b");
    expect(statementOf(sql.join([]))).toEqual({ text: "", values: [] });
  });

  test("a name is quoted part by part, and cannot end its quotes", () => {
    expect(sql.ref("c.due_by").text).toBe('"c"."due_by"');
    expect(sql.ref('a"; drop table cases --').text).toBe('"a""; drop table cases --"');
  });

  test("a constant cannot end its quotes", () => {
    expect([sql.lit("o'clock"), sql.lit(5), sql.lit(true), sql.lit(null)].map(({ text }) => text)).toEqual([
      "'o''clock'",
      "5",
      "true",
      "null",
    ]);
  });
});
