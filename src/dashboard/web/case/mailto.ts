interface MailDraft {
  readonly subject: string;
  readonly body: string;
}

/**
 * The address of a link that opens the mail program (RFC 6068). The `@` before the domain stays as it is, and lines of
 * the body end with CR LF.
 */
export function mailtoOf(emails: readonly string[], draft: MailDraft | null = null): string {
  const to = `mailto:${emails.map(encodeAddress).join(",")}`;
  if (draft === null) return to;
  const body = draft.body.replaceAll("\n", "\r\n");
  return `${to}?subject=${encodeURIComponent(draft.subject)}&body=${encodeURIComponent(body)}`;
}

/** A quoted name may have an `@` of its own, which is not the last one. */
function encodeAddress(email: string): string {
  const at = email.lastIndexOf("@");
  if (at < 0) return encodeURIComponent(email);
  return `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
}
