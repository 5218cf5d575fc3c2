import type { Request } from "express";
import type passport from "passport";
import type { TokenVerdict } from "./access-token.ts";

/** The same realm for all sources, so that a response does not reveal which exist. */
export const realm = "skedchange";

export type HeaderStrategy = passport.Strategy;

export type NetworkOfCaller = (request: Request) => string;

export interface Failure {
  readonly challenge: string;
  /** Null if no token was sent. */
  readonly verdict: TokenVerdict | null;
}

export interface RunningStrategy extends Pick<passport.StrategyCreatedStatic, "success" | "error"> {
  fail(failure: Failure): void;
}

export function withoutToken(challenge: string): Failure {
  return { challenge, verdict: null };
}

export function settle(strategy: RunningStrategy, matches: Promise<boolean>, failure: Failure): void {
  matches.then(
    (accepted) => (accepted ? strategy.success(caller) : strategy.fail(failure)),
    (error: unknown) => strategy.error(error),
  );
}

/** The source in the path identifies the caller; passport only requires some user. */
export const caller: Express.User = {};

/** Passport's base classes require a callback, which the strategies here never call. */
export function neverAsked(): void {}
