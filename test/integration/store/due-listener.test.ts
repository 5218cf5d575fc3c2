import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DueListener, dueChannel, listenForDue } from "../../../src/store/database/due-listener.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { eventually } from "../../harness/eventually.ts";
import { type BreakableProxy, startBreakableProxy } from "../queue/breakable-proxy.ts";

describe("listening for what is due", () => {
  let database: TestDatabase;
  let proxy: BreakableProxy;
  let elsewhere: pg.Client;
  let listener: DueListener | undefined;
  let calls: number;
  let errors: unknown[];
  let onCall: () => void;
  let onError: () => void;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    calls = 0;
    errors = [];
    onCall = () => undefined;
    onError = () => undefined;
    proxy = await startBreakableProxy(database.serviceUrl);
    elsewhere = new pg.Client(database.serviceUrl);
    await elsewhere.connect();
  });
  afterEach(async () => {
    await listener?.close();
    await elsewhere.end();
    await proxy.close();
  });

  async function listen(): Promise<void> {
    listener = await listenForDue({
      url: proxy.url,
      applicationName: "due listener",
      onDue: {
        [dueChannel]: () => {
          calls += 1;
          onCall();
        },
      },
      onError: (error) => {
        errors.push(error);
        onError();
      },
    });
  }

  function untilCalls(wanted: number): Promise<void> {
    return new Promise((resolve) => {
      onCall = () => {
        if (calls >= wanted) resolve();
      };
      onCall();
    });
  }

  function untilError(): Promise<void> {
    return new Promise((resolve) => {
      onError = () => {
        if (errors.length > 0) resolve();
      };
      onError();
    });
  }

  const notify = () => elsewhere.query(`notify ${dueChannel}`);

  test("hears of a commit elsewhere, and not of a rollback or another channel", async () => {
    await listen();

    await elsewhere.query("begin");
    await notify();
    await elsewhere.query("rollback");
    await elsewhere.query("notify something_else");
    await notify();
    await untilCalls(1);

    expect(calls).toBe(1);
    expect(errors).toEqual([]);
  });

  test("listens again by itself after its connection was terminated, and says so for what it missed", async () => {
    await listen();

    await elsewhere.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'due listener due'`,
    );
    await untilError();
    await untilCalls(1);
    await notify();
    await untilCalls(2);

    expect(calls).toBe(2);
  });

  test("starts while the database is away and listens when it is back", async () => {
    await proxy.breakDown();
    await listen();
    expect(errors).toHaveLength(1);

    await proxy.recover();
    await untilCalls(1);
    await notify();
    await untilCalls(2);

    expect(calls).toBe(2);
  });

  test("closes while the database is away, and leaves no connection", async () => {
    await listen();
    await proxy.breakDown();
    await untilError();

    await listener?.close();
    await proxy.recover();

    await eventually(async () => {
      const { rows } = await elsewhere.query(
        "select from pg_stat_activity where datname = current_database() and application_name = 'due listener due'",
      );
      expect(rows).toEqual([]);
    });
  });
});
