import { TextInput } from "@mantine/core";

interface CodeFieldProps {
  readonly value: string;
  readonly onType: (code: string) => void;
  readonly hint?: string;
  /** Whether it is what people came for. */
  readonly isNext?: boolean;
}

/** For a code of the second factor. */
export function CodeField({
  value,
  onType,
  hint = "Six digits of the app, or a recovery code.",
  isNext = false,
}: CodeFieldProps) {
  return (
    <TextInput
      label="Code"
      description={hint}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={isNext}
      required
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
