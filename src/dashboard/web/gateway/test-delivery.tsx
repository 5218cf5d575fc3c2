import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { ErrorNotice, Notice } from "../parts/notices.tsx";
import { describeOutcome, describeTimings } from "./delivery-words.ts";
import { gatewayApi } from "./gateway-api.ts";

/** Sends a notification of no order, to see what the recipient makes of it. Nothing of it is kept. */
export function useTestDelivery(id: string) {
  return useMutation({ mutationFn: () => gatewayApi.sendTest(id) });
}

type Trial = ReturnType<typeof useTestDelivery>;

export function TestButton({ trial }: { readonly trial: Trial }) {
  return (
    <Button variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
      Send a test
    </Button>
  );
}

export function TestResponse({ trial }: { readonly trial: Trial }) {
  if (trial.isError) return <ErrorNotice problem={trial.error} title="The test was not sent" />;
  if (!trial.isSuccess) return null;
  const result = trial.data;
  const isGood = result.outcome === "delivered";
  return (
    <Notice
      tone={isGood ? "good" : "bad"}
      title={isGood ? "The test was acknowledged" : `The test was not acknowledged`}
      onClose={trial.reset}
    >
      <p>
        {result.errorMessage ?? describeOutcome(result).meaning}{" "}
        {result.errorCode === null ? null : <code className="quiet">{result.errorCode}</code>}
      </p>
      <p className="quiet">{describeTimings(result)}</p>
      {result.answerExcerpt === null || result.answerExcerpt === "" ? null : (
        <pre className="response" tabIndex={0}>
          {result.answerExcerpt}
        </pre>
      )}
    </Notice>
  );
}
