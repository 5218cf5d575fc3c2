import { TextInput } from "@mantine/core";
import type { KeyboardEventHandler, Ref } from "react";
import { SearchIcon } from "./icons.tsx";

interface SearchFieldProps {
  readonly ref?: Ref<HTMLInputElement>;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
}

/** For what a case is found by. */
export function SearchField({ onChange, ...field }: SearchFieldProps) {
  return (
    <TextInput
      aria-label="Search traveller, ticket, order, booking reference or flight"
      placeholder="Name, ticket, order, flight"
      type="search"
      leftSection={<SearchIcon />}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...field}
    />
  );
}
