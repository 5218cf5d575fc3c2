import { Button, Group, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useState } from "react";
import type { CaseView } from "../api/responses.ts";
import { mailtoOf } from "./mailto.ts";
import { languages } from "./traveller-texts/languages.ts";
import { type Closing, type TravellerText, tellableChange, travellerText } from "./traveller-texts/traveller-text.ts";
import { useTravellers } from "./travellers.ts";

/** A draft in the language of the travellers, to be copied or opened in the mail program. Nothing is sent from here. */
export function TravellerTextPart({ caseView }: { readonly caseView: CaseView }) {
  const [language, setLanguage] = useLocalStorage({
    key: "skedchange-traveller-language",
    defaultValue: "en",
    getInitialValueInEffect: false,
  });
  const [chosen, setChosen] = useState<Closing | null>(null);
  const stated = useTravellers(caseView).data;
  const change = tellableChange(caseView);
  if ("obstacle" in change) return <p className="quiet">{change.obstacle}</p>;
  const code = language in languages ? language : "en";
  const closing = chosen !== null && change.closings.includes(chosen) ? chosen : change.closings[0]!;
  const text = travellerText({
    subject: caseView,
    kind: change.kind,
    closing,
    firstNames: (stated?.travellers ?? []).flatMap(({ firstName }) => firstName ?? []),
    texts: languages[code]!,
  });
  return (
    <div className="form">
      <div className="field-pair">
        <NativeSelect
          label="Language"
          data={Object.entries(languages).map(([value, { name }]) => ({ value, label: name }))}
          value={code}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        />
        <NativeSelect
          label="What happens next"
          data={change.closings.map((value) => ({ value, label: closingLabels[value] }))}
          value={closing}
          onChange={(event) => setChosen(event.currentTarget.value as Closing)}
        />
      </div>
      <Draft
        key={`${code} ${text.subject} ${text.body}`}
        text={text}
        language={code}
        addressee={stated?.addressee ?? null}
      />
    </div>
  );
}

const closingLabels: Readonly<Record<Closing, string>> = {
  "order-cancelled": "It is cancelled",
  accepted: "It is accepted",
  accept: "We accept unless they object",
  answer: "We wait for their answer",
};

interface DraftProps {
  readonly text: TravellerText;
  readonly language: string;
  /** Null where no email of a traveller is stated. */
  readonly addressee: string | null;
}

function Draft({ text, language, addressee }: DraftProps) {
  const [subject, setSubject] = useState(text.subject);
  const [body, setBody] = useState(text.body);
  return (
    <>
      <TextInput
        label="Subject"
        lang={language}
        value={subject}
        onChange={(event) => setSubject(event.currentTarget.value)}
        // In the dialog of an action it would send the form.
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
      <Textarea
        label="Text"
        lang={language}
        autosize
        minRows={6}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      {text.unknowns === 0 ? null : (
        <p className="unknown">
          {text.unknowns === 1
            ? "1 value is not known. It stands"
            : `${text.unknowns} values are not known. They stand`}{" "}
          in brackets.
        </p>
      )}
      <Group gap="xs">
        <CopyText text={body} />
        <Button
          component="a"
          variant="default"
          href={mailtoOf(addressee === null ? [] : [addressee], { subject, body })}
          {...(addressee === null ? { "data-disabled": true, "aria-disabled": true } : {})}
          onClick={(event: React.MouseEvent) => {
            if (addressee === null) event.preventDefault();
          }}
        >
          Open email
        </Button>
        <span className="quiet">
          {addressee === null ? "No email of a traveller is stated. " : `To ${addressee}. `}Skedchange sends nothing to
          travellers.
        </span>
      </Group>
    </>
  );
}

function CopyText({ text }: { readonly text: string }) {
  const [result, setResult] = useState<"Copied" | "Not copied: select the text instead" | null>(null);
  return (
    <Button
      variant="default"
      aria-live="polite"
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setResult("Copied"),
          () => setResult("Not copied: select the text instead"),
        )
      }
    >
      {result ?? "Copy"}
    </Button>
  );
}
