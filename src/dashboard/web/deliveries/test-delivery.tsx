import { Button } from "@mantine/core";
import { useChanging } from "../api/create-hooks.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { useDeliverySide } from "./delivery-side.ts";
import { describeOutcome, describeTimings } from "./delivery-words.ts";

/** Sends a test, which belongs to no order and is not stored. */
export function useTestDelivery(id: string) {
  const { call } = useDeliverySide().client;
  return useChanging(() => call("POST /recipients/{id}/test", { params: { id } }));
}

type TestDelivery = ReturnType<typeof useTestDelivery>;

export function TestButton({ test }: { readonly test: TestDelivery }) {
  return (
    <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
      Send a test
    </Button>
  );
}

export function TestResponse({ test }: { readonly test: TestDelivery }) {
  if (test.isError) return <ErrorCallout problem={test.error} title="The test was not sent" />;
  if (!test.isSuccess) return null;
  const result = test.data;
  const isGood = result.outcome === "delivered";
  return (
    <Callout
      tone={isGood ? "good" : "bad"}
      title={isGood ? "The test was acknowledged" : "The test was not acknowledged"}
      onClose={test.reset}
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
    </Callout>
  );
}
