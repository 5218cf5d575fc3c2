import { Textarea } from "@mantine/core";

interface NoteFieldProps {
  readonly label?: "Note" | "Reason";
  readonly description: string;
  readonly required?: boolean;
  readonly isFocusedFirst?: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** What the API takes. */
const noteLengthMax = 2_000;

/** A few lines of text for other people. Ctrl Enter sends the form that it stands in. */
export function NoteField({ label = "Note", isFocusedFirst = false, onChange, ...field }: NoteFieldProps) {
  return (
    <Textarea
      label={label}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={noteLengthMax}
      {...(isFocusedFirst ? { "data-autofocus": true } : {})}
      {...field}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
    />
  );
}
