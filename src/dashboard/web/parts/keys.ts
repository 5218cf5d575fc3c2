import { useEffect } from "react";
import { useLocation } from "wouter";

/** Calls `act` on a key without modifiers, unless the user is typing or a dialog is open. */
export function useKey(key: string, act: () => void): void {
  const [location] = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input:not([type=checkbox]), textarea, select, [role=dialog], [role=menu]")) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [key, act, location]);
}
