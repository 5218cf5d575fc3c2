import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorCallout, Loading } from "./callouts.tsx";
import { CopyButton } from "./copyable.tsx";
import { markPart } from "./failing-part.ts";

export interface RawBodySource {
  readonly title: string;
  readonly key: readonly string[];
  readonly read: () => Promise<string>;
  /** Default: that it was received. */
  readonly isSent?: boolean;
  /** JSON Pointer to the part to mark. */
  readonly failingPath?: string;
}

/** A stored body as received or sent; JSON is indented. It holds travellers' data, so the browser does not cache it. */
export function RawBodyDialog({
  source,
  onClose,
}: {
  readonly source: RawBodySource | null;
  readonly onClose: () => void;
}) {
  const body = useQuery({
    queryKey: ["body", ...(source?.key ?? [])],
    queryFn: () => source?.read() ?? "",
    enabled: source !== null,
    gcTime: 0,
  });
  return (
    <Modal
      opened={source !== null}
      onClose={onClose}
      title={source?.title ?? ""}
      size="xl"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {body.isError ? <ErrorCallout problem={body.error} onRetry={() => void body.refetch()} /> : null}
      {body.isPending ? <Loading label="Loading" /> : null}
      {body.data === undefined ? null : (
        <>
          <p className="raw-head">
            <span className="quiet">
              {new Blob([body.data]).size.toLocaleString("en")} bytes, as{" "}
              {source?.isSent === true ? "sent" : "received"}
            </span>
            <CopyButton value={body.data} what="the body" />
          </p>
          <pre className="raw" tabIndex={0} aria-label={source?.title ?? "Body"}>
            <BodyText text={body.data} failingPath={source?.failingPath ?? null} />
          </pre>
        </>
      )}
    </Modal>
  );
}

function BodyText({ text, failingPath }: { readonly text: string; readonly failingPath: string | null }) {
  const parts = failingPath === null ? null : markPart(text, failingPath);
  if (parts === null) return indent(text);
  return (
    <>
      {parts.before}
      <mark>{parts.marked}</mark>
      {parts.after}
    </>
  );
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
