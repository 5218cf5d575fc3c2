import { toOneLine } from "../kernel/visible-text.ts";

/**
 * What mail programs and chats show as it stands: one line, and nothing that they would make a link of. Foreign text is
 * in it, such as an OrderID, and a link in our message would look like ours. `https://a.example` is written as
 * `https[:]//a[.]example`.
 */
export function plainWords(text: string, max: number): string {
  const plain = toOneLine(text).replaceAll(beforeAddress, "[:]").replaceAll(withinDomain, "[.]");
  return plain.length <= max ? plain : `${plain.slice(0, max - 1)}…`;
}

/** As in `https:` and `mailto:`; not in `14:20` nor before a blank. */
const beforeAddress = /(?<=\p{L}[\p{L}\d+.-]+):(?=\S)/gu;
/** As in `a.example` and `a@b.example`; not in `1.5 h` nor at the end of a sentence. */
const withinDomain = /(?<=[\p{L}\p{N}_-])[.．](?=[\p{L}\p{N}-]*\p{L}{2})/gu;
