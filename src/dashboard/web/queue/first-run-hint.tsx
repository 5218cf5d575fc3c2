import { useLocalStorage } from "@mantine/hooks";
import { Link } from "wouter";
import { Callout } from "../components/callouts.tsx";

/** On the queue, until somebody dismisses it in this browser. */
export function FirstRunHint() {
  const [isDismissed, setIsDismissed] = useLocalStorage({
    key: "skedchange-first-run-hint-dismissed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (isDismissed) return null;
  return (
    <Callout tone="plain" title="New here?" onClose={() => setIsDismissed(true)}>
      Each row is a schedule change of one order. <Link href="/help">Help</Link> explains the states and what to do
      first.
    </Callout>
  );
}
