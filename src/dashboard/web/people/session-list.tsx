import { Button } from "@mantine/core";
import { useChange, useRead } from "../api/hooks.ts";
import type { SessionOfUser } from "../api/responses.ts";
import { Callout, ErrorCallout, Loading } from "../components/callouts.tsx";
import { DataTable } from "../components/data-table.tsx";
import { When } from "../components/when.tsx";

/** In which browsers somebody is signed in, and how to end that. */
export function SessionList() {
  const sessions = useRead("GET /sessions", {}, { refetchInterval: 60_000 });
  const end = useChange("DELETE /sessions/{id}");
  const endOthers = useChange("DELETE /sessions");
  const problem = end.error ?? endOthers.error;
  if (sessions.isError) return <ErrorCallout problem={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.isPending) return <Loading label="Loading" />;
  const { items } = sessions.data;
  return (
    <>
      <DataTable
        look="rules"
        items={items}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Browser",
            cell: (session) => (
              <>
                {nameOf(session)} {session.current ? <span className="badge tone-good">This session</span> : null}
              </>
            ),
          },
          { title: "Address at sign-in", label: "Address", cell: ({ address }) => address ?? "Unknown" },
          { title: "Signed in", cell: ({ startedAt }) => <When at={startedAt} /> },
          { title: "Last used", cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            title: "End",
            isTitleHidden: true,
            label: null,
            cell: (session) =>
              session.current ? null : (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`End session: ${nameOf(session)}`}
                  loading={end.isPending && end.variables.params.id === session.id}
                  onClick={() => end.mutate({ params: { id: session.id } })}
                >
                  End
                </Button>
              ),
          },
        ]}
      />
      {problem === null ? null : <ErrorCallout problem={problem} title="The session was not ended" />}
      {endOthers.isSuccess && items.length === 1 ? <Callout tone="good" title="All other sessions have ended" /> : null}
      {items.length > 1 ? (
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
          End all other sessions
        </Button>
      ) : null}
    </>
  );
}

function nameOf({ browser }: SessionOfUser): string {
  return browser ?? "Unknown browser";
}
