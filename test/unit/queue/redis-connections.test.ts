import { expect, test } from "vitest";
import { withoutCommand } from "../../../src/queue/redis-connections.ts";

test("an error of a server that has no AUTH does not repeat the password", () => {
  const error = new Error("ERR unknown command 'auth', with args beginning with: 'worker' 'p4ssword' ");

  expect(withoutCommand(error).message).toBe("ERR unknown command 'auth'");
  expect(withoutCommand({ message: "Failed to refresh slots cache.", lastNodeError: error }).message).toBe(
    "Failed to refresh slots cache. ERR unknown command 'auth'",
  );
});
