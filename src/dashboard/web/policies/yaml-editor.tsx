import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { factLabels } from "../../../policy/fact-labels.ts";
import type { PolicyFinding } from "../api/responses.ts";
import { readPageSettings } from "../page-settings.ts";

export interface YamlEditorHandle {
  show(finding: PolicyFinding): void;
}

interface YamlEditorProps {
  readonly label: string;
  /** Later values are ignored: the editor holds the text. */
  readonly text: string;
  readonly findings?: readonly PolicyFinding[];
  /** Null shows the text only. */
  readonly onChange: ((text: string) => void) | null;
  readonly handle?: RefObject<YamlEditorHandle | null>;
}

const noFindings: readonly PolicyFinding[] = [];

/** Loaded on demand, because it is larger than all other pages together. */
export function YamlEditor({ label, text, findings = noFindings, onChange, handle }: YamlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  useLayoutEffect(() => {
    changed.current = onChange;
  });
  const initial = useRef({ text, label, isReadOnly: onChange === null });

  useEffect(() => {
    const { isReadOnly, ...rest } = initial.current;
    const editor = new EditorView({
      doc: rest.text,
      parent: place.current!,
      extensions: [
        EditorView.cspNonce.of(readPageSettings(document).styleNonce),
        basicSetup,
        yaml(),
        syntaxHighlighting(classHighlighter),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": rest.label, tabindex: "0" }),
        ...(isReadOnly ? [EditorState.readOnly.of(true)] : [lintGutter()]),
        autocompletion({ override: [completeFacts] }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed.current?.(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);
  useImperativeHandle(handle, () => ({
    show: (finding) => {
      const editor = view.current;
      if (editor === null) return;
      const { from } = toDiagnostic(editor.state.doc, finding);
      editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      editor.focus();
    },
  }));

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const diagnostics = findings.map((finding) => toDiagnostic(editor.state.doc, finding));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [findings]);

  return <div ref={place} className={onChange === null ? "yaml read-only" : "yaml"} />;
}

/** From the place to the end of its word. The text may have changed since it was checked. */
function toDiagnostic(doc: Text, { line, column, severity, message }: PolicyFinding): Diagnostic {
  const { from, to, text } = doc.line(Math.min(line, doc.lines));
  const start = Math.min(from + column - 1, to);
  const word = /^[\w.-]+/.exec(text.slice(start - from))?.[0].length ?? 1;
  return { from: start, to: Math.min(start + word, to), severity, message };
}

const factNames = Object.values(factLabels).flatMap((labels) =>
  Object.entries(labels).map(([label, detail]) => ({ label, detail, type: "variable" })),
);

/** Names of facts, in conditions only. */
function completeFacts(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w.]+/);
  if (word === null || !isInCondition(context.state.doc, context.pos)) return null;
  return { from: word.from, options: factNames, validFor: /^[\w.]*$/ };
}

function isInCondition(doc: Text, position: number): boolean {
  for (let { number } = doc.lineAt(position); number > 0; number -= 1) {
    const key = /^\s*(?:- )?\s*(\w+):/.exec(doc.line(number).text)?.[1];
    if (key !== undefined) return key === "when";
  }
  return false;
}
