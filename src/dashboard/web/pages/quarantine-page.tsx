import { Button, Group, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { requiredRoles } from "../../people/required-roles.ts";
import { isRoleAtLeast } from "../../people/role.ts";
import { ApiProblem, api } from "../api/api-client.ts";
import { useFallbackInterval } from "../api/live-updates.tsx";
import type { NotificationRow } from "../api/responses.ts";
import { useSession } from "../api/session.ts";
import { BodyDeleted } from "../parts/case-records.tsx";
import { ErrorNotice, Notice } from "../parts/notices.tsx";
import { PagedList } from "../parts/paged-list.tsx";
import { RawBodyDialog, type RawBodySource } from "../parts/raw-body.tsx";
import { When } from "../parts/when.tsx";

const shownStates = [
  { value: "quarantined", label: "Quarantined" },
  { value: "released", label: "Released" },
] as const;

export function QuarantinePage() {
  const [state, setState] = useState<string>("quarantined");
  const [body, setBody] = useState<RawBodySource | null>(null);
  const notifications = useInfiniteQuery({
    queryKey: ["notifications", state],
    queryFn: ({ pageParam }) => api.listNotifications(state, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    // A quarantined body belongs to no case, so the event stream does not announce it.
    refetchInterval: useFallbackInterval() || quarantineIntervalMs,
  });
  const reprocess = useReprocess();
  return (
    <>
      <title>Quarantine · Skedchange</title>
      <div className="page-head">
        <h1>Quarantine</h1>
        <p className="quiet">
          Notifications from a known gateway that could not be processed. They are stored exactly as received.
        </p>
      </div>
      <div className="filters">
        <SegmentedControl aria-label="State" data={[...shownStates]} value={state} onChange={setState} />
      </div>
      <ReprocessResult reprocess={reprocess} />
      <PagedList
        list={notifications}
        empty={
          state === "quarantined"
            ? { title: "Quarantine is empty", text: "Every notification received could be processed." }
            : {
                title: "No released notifications",
                text: "Notifications that were reprocessed successfully are listed here.",
              }
        }
      >
        {(items) => <NotificationTable items={items} reprocess={reprocess} onShow={setBody} />}
      </PagedList>
      <RawBodyDialog source={body} onClose={() => setBody(null)} />
    </>
  );
}

const quarantineIntervalMs = 15_000;

type Reprocess = ReturnType<typeof useReprocess>;

function useReprocess() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.reprocess(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["notifications"] }),
  });
}

function ReprocessResult({ reprocess }: { readonly reprocess: Reprocess }) {
  if (reprocess.isError) {
    const path = reprocess.error instanceof ApiProblem ? reprocess.error.members["path"] : undefined;
    const isUnusable = reprocess.error instanceof ApiProblem && reprocess.error.status === 422;
    return (
      <ErrorNotice
        problem={reprocess.error}
        title={isUnusable ? "The notification still can't be processed" : "The notification was not reprocessed"}
        onClose={reprocess.reset}
      >
        {typeof path === "string" ? (
          <p>
            at <code>{path === "" ? "the whole body" : path}</code>
          </p>
        ) : null}
      </ErrorNotice>
    );
  }
  if (!reprocess.isSuccess) return null;
  return (
    <Notice tone="good" title="Released" onClose={reprocess.reset}>
      The notification was processed. {reprocess.data.cases.length === 1 ? "Case" : "Cases"}:{" "}
      {reprocess.data.cases.map(({ id, orderId }) => (
        <Link key={id} href={`/cases/${id}`}>
          {orderId}{" "}
        </Link>
      ))}
    </Notice>
  );
}

interface NotificationTableProps {
  readonly items: readonly NotificationRow[];
  readonly reprocess: Reprocess;
  readonly onShow: (source: RawBodySource) => void;
}

function NotificationTable({ items, reprocess, onShow }: NotificationTableProps) {
  const { user } = useSession();
  const canRead = isRoleAtLeast(user.role, requiredRoles.readBodies);
  const canReprocess = isRoleAtLeast(user.role, requiredRoles.reprocessNotification);
  return (
    <div className="table-box">
      <table className="cases quarantine">
        <caption>
          <VisuallyHidden>Notifications</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Received</th>
            <th scope="col">Source</th>
            <th scope="col">Problem</th>
            <th scope="col">Location</th>
            <th scope="col">Receipts</th>
            <th scope="col">Size</th>
            {canRead ? <th scope="col">Actions</th> : null}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              <th scope="row">
                <When at={item.receivedAt} />
                {item.receipts > 1 ? (
                  <div className="quiet">
                    last <When at={item.lastReceiptAt} />
                  </div>
                ) : null}
              </th>
              <td>{item.source}</td>
              <td>
                <div>{item.problem?.message ?? "–"}</div>
                {item.problem === null ? null : <code className="quiet">{item.problem.code}</code>}
              </td>
              <td>
                {item.problem === null ? "–" : <code className="path">{item.problem.path || "the whole body"}</code>}
              </td>
              <td>{item.receipts}</td>
              <td>{item.bodyBytes.toLocaleString("en")} B</td>
              {canRead ? (
                <td>
                  <Group gap="xs" wrap="nowrap">
                    {item.bodyDeleted !== null ? (
                      <BodyDeleted deletion={item.bodyDeleted} />
                    ) : (
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={() =>
                          onShow({
                            title: "Notification as received",
                            key: ["notification", item.id],
                            read: () => api.readNotificationBody(item.id),
                          })
                        }
                      >
                        Show raw
                      </Button>
                    )}
                    {canReprocess && item.state === "quarantined" && item.bodyDeleted === null ? (
                      <Button
                        size="compact-sm"
                        loading={reprocess.isPending && reprocess.variables === item.id}
                        onClick={() => reprocess.mutate(item.id)}
                      >
                        Reprocess
                      </Button>
                    ) : null}
                  </Group>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
