type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/**
 * The key as the catalogue writes it: `a`, `A` with Shift, `Mod+a` with Control or Command, `Enter`. Caps Lock changes
 * nothing. Null if it is a modifier alone or a combination that no command has.
 */
export function pressedKey({ key, ctrlKey, metaKey, altKey, shiftKey }: Press): string | null {
  if (["Shift", "Control", "Meta", "Alt", "AltGraph", "Dead"].includes(key)) return null;
  const isCharacter = key.length === 1;
  const isLetter = isCharacter && key.toLowerCase() !== key.toUpperCase();
  if (ctrlKey || metaKey) return altKey || shiftKey ? null : `Mod+${key.toLowerCase()}`;
  // A shifted character such as `?` is a key of its own. Some keyboards need Alt for one.
  if (isLetter) return altKey ? null : shiftKey ? key.toUpperCase() : key.toLowerCase();
  return altKey && !isCharacter ? null : key;
}

/** How people read a key: `Shift A`, `Ctrl K`. */
export function keyCaps(key: string, isMac: boolean): readonly string[] {
  return key.split(" ").flatMap((part) => {
    if (part.startsWith("Mod+")) return [isMac ? "⌘" : "Ctrl", part.slice("Mod+".length).toUpperCase()];
    if (/^\p{Lu}$/u.test(part)) return ["Shift", part];
    return [part === "Escape" ? "Esc" : part];
  });
}
