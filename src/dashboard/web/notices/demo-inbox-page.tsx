import { useRead } from "../api/hooks.ts";
import { ErrorCallout, Loading } from "../components/callouts.tsx";
import { When } from "../components/when.tsx";
import { channelWords } from "./notice-words.ts";
import "./notices-page.css";

const intervalMs = 3_000;

/** What demo mode would have sent to people. */
export function DemoInboxPage() {
  const inbox = useRead("GET /demo-inbox", {}, { refetchInterval: intervalMs });
  return (
    <>
      <div className="page-head">
        <h1>Demo inbox</h1>
        <p className="quiet">What people would get by e-mail and chat. Demo mode sends nothing.</p>
      </div>
      {inbox.isError ? <ErrorCallout problem={inbox.error} onRetry={() => void inbox.refetch()} /> : null}
      {inbox.isPending ? <Loading label="Loading" /> : null}
      {inbox.data?.items.length === 0 ? (
        <p>No messages yet. One comes some seconds after a case begins to wait.</p>
      ) : null}
      {inbox.data?.items.map(({ at, channel, to, subject, cases, more, queueUrl, reason }) => (
        <article className="panel caught-notice" key={`${at} ${to} ${subject}`}>
          <h2>{subject}</h2>
          <p className="quiet">
            {channelWords[channel]} to {to}, <When at={at} />
          </p>
          <ul>
            {cases.map(({ title, detail, url }) => (
              <li key={`${title} ${url}`}>
                {url === null ? title : <a href={url}>{title}</a>}
                <span className="quiet">{detail}</span>
              </li>
            ))}
          </ul>
          {more === null ? null : <p>{more}</p>}
          {queueUrl === null ? null : (
            <p>
              <a href={queueUrl}>Open the queue</a>
            </p>
          )}
          <p className="quiet">{reason}</p>
        </article>
      ))}
    </>
  );
}
