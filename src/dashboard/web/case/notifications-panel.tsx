import { Button } from "@mantine/core";
import { readText } from "../api/api-client.ts";
import type { CaseView } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { BodyDeleted } from "../components/body-deleted.tsx";
import type { RawBodySource } from "../components/raw-body.tsx";
import { When } from "../components/when.tsx";

interface NotificationsPanelProps {
  readonly notifications: CaseView["notifications"];
  readonly onShow: (source: RawBodySource) => void;
}

export function NotificationsPanel({ notifications, onShow }: NotificationsPanelProps) {
  const canRead = useMay("readBodies");
  return (
    <section className="panel" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      <ul className="records">
        {notifications.map(({ id, receivedAt, receipts, bodyDeleted }) => (
          <li key={id}>
            <span>
              Received <When at={receivedAt} long />
              {receipts > 1 ? <span className="quiet"> {receipts} times</span> : null}
            </span>
            {bodyDeleted !== null ? (
              <BodyDeleted deletion={bodyDeleted} />
            ) : canRead ? (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() =>
                  onShow({
                    title: "Notification as received",
                    key: ["notification", id],
                    read: () => readText(`/notifications/${id}/body`),
                  })
                }
              >
                Show raw
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {canRead ? null : (
        <p className="quiet">Raw messages contain traveller data. Only agents and above can read them.</p>
      )}
    </section>
  );
}
