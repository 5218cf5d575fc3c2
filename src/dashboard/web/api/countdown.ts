import { useEffect, useState } from "react";
import { ApiProblem } from "./send-request.ts";

/** Seconds until the server takes another try; 0 when it does. */
export function useCountdown(problem: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = problem instanceof ApiProblem && problem.status === 429 ? (problem.retryAfterSeconds ?? 0) : 0;
    const until = Date.now() + seconds * 1000;
    const look = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    if (seconds === 0) return undefined;
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return left;
}
