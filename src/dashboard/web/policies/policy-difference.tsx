import { diffLines } from "diff";
import { useMemo } from "react";
import { counted } from "../../../kernel/counted.ts";
import type { PolicyVersion } from "../api/responses.ts";
import { compareRules } from "./policy-words.ts";

type Compared = Pick<PolicyVersion, "text" | "content">;

/** Which rules differ, and the lines of the text. */
export function PolicyDifference({ before, after }: { readonly before: Compared; readonly after: Compared }) {
  const lines = useMemo(() => differingLines(before.text, after.text), [before.text, after.text]);
  if (lines.length === 0) return <p className="quiet">The texts are the same.</p>;
  return (
    <>
      <RulesSummary before={before} after={after} />
      <table className="difference">
        <caption className="visually-hidden">Lines that differ</caption>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Line before</th>
            <th scope="col">Line after</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) =>
            line === null ? (
              <tr key={`gap-${index}`} className="gap">
                <td colSpan={3}>…</td>
              </tr>
            ) : (
              <tr key={`${line.kind}-${line.before}-${line.after}`} className={line.kind}>
                <td>{line.before}</td>
                <td>{line.after}</td>
                <td>
                  <code>
                    <span className="visually-hidden">{spoken[line.kind]}</span>
                    {marks[line.kind]} {line.text}
                  </code>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </>
  );
}

function RulesSummary({ before, after }: { readonly before: Compared; readonly after: Compared }) {
  if (before.content === null || after.content === null) return null;
  const compared = compareRules(before.content.rules, after.content.rules);
  const parts = (["added", "removed", "changed", "reordered"] as const).filter((kind) => compared[kind].length > 0);
  if (parts.length === 0) return <p>All rules are the same and in the same order.</p>;
  return (
    <ul className="rules-summary">
      {parts.map((kind) => (
        <li key={kind}>
          {counted(compared[kind].length, "rule")} {kind}:{" "}
          {compared[kind].map((name, index) => (
            <span key={name}>
              {index === 0 ? "" : ", "}
              <code>{name}</code>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

interface Line {
  readonly kind: "same" | "added" | "removed";
  /** Line numbers; null on the side that lacks the line. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

const marks = { same: " ", added: "+", removed: "−" } as const;
const spoken = { same: "", added: "Added: ", removed: "Removed: " } as const;

/** Same lines that are shown around a difference. */
const contextLines = 3;

/** Null stands for lines that are left out. */
function differingLines(before: string, after: string): readonly (Line | null)[] {
  let [oldLine, newLine] = [0, 0];
  const lines = diffLines(before, after).flatMap(({ value, added, removed }) => {
    const kind = added ? "added" : removed ? "removed" : "same";
    return value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): Line => {
        if (kind !== "added") oldLine += 1;
        if (kind !== "removed") newLine += 1;
        return {
          kind,
          before: kind === "added" ? null : oldLine,
          after: kind === "removed" ? null : newLine,
          text,
        };
      });
  });
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ kind }) => kind !== "same"),
  );
  return lines.flatMap((line, index) => {
    if (isShown[index]) return [line];
    return isShown[index + 1] ? [null] : [];
  });
}
