import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { counted } from "../../../kernel/counted.ts";
import type { ApiTypes } from "../../api/routes.ts";
import { call } from "../api/api-client.ts";
import { Callout, ErrorCallout } from "../components/callouts.tsx";
import { adviceOnViolation } from "./audit-words.ts";

type Part = ApiTypes["GET /audit/verification"]["response"];

/** The parts that were checked one after the other, as one. */
type Checked = Omit<Part, "next"> & { readonly isStopped: boolean };

/** Checks the newest blocks of the chain, or all of them part by part, so that no request takes long. */
export function AuditCheck() {
  const [soFar, setSoFar] = useState<Checked | null>(null);
  const isStopped = useRef(false);
  const check = useMutation({
    mutationFn: async (from: number | null) => {
      isStopped.current = false;
      setSoFar(null);
      let next = from;
      let sum: Checked | null = null;
      do {
        const { next: goesOn, ...part }: Part = await call("GET /audit/verification", { query: { from: next } });
        next = goesOn;
        sum = add(sum, part, isStopped.current && next !== null);
        setSoFar(sum);
      } while (next !== null && !isStopped.current);
      return sum;
    },
  });
  const forget = (): void => {
    check.reset();
    setSoFar(null);
  };
  return (
    <>
      <Button variant="default" loading={check.isPending} onClick={() => check.mutate(null)}>
        Verify
      </Button>
      {check.isError ? (
        <ErrorCallout problem={check.error} title="The audit was not verified" onClose={forget} />
      ) : null}
      {check.isPending && soFar !== null ? (
        <Callout tone="plain" title={`Verifying: block ${count(soFar.head.block)} of ${count(soFar.newest)}`}>
          <Button size="xs" variant="default" onClick={() => (isStopped.current = true)}>
            Stop
          </Button>
        </Callout>
      ) : null}
      {check.isSuccess && check.data !== null ? (
        <Outcome checked={check.data} onAll={() => check.mutate(1)} onClose={forget} />
      ) : null}
    </>
  );
}

function add(sum: Checked | null, part: Omit<Part, "next">, isStopped: boolean): Checked {
  if (sum === null) return { ...part, isStopped };
  return {
    ...part,
    isStopped,
    from: sum.from,
    checked: sum.checked + part.checked,
    eventsGone: sum.eventsGone + part.eventsGone,
    eventsCut: sum.eventsCut + part.eventsCut,
  };
}

interface OutcomeProps {
  readonly checked: Checked;
  readonly onAll: () => void;
  readonly onClose: () => void;
}

function Outcome({ checked: { from, checked, head, eventsGone, eventsCut, broken, isStopped }, ...on }: OutcomeProps) {
  const blocks = `Blocks ${count(from)} to ${count(head.block)}`;
  if (broken !== null) {
    const isBehind = broken.code === "audit.sealing_behind";
    return (
      <Callout
        tone={isBehind ? "warn" : "bad"}
        title={isBehind ? "The chain is behind" : "The audit was changed"}
        onClose={on.onClose}
      >
        <p>
          {broken.message} <code>{broken.code}</code>
        </p>
        <p>{adviceOnViolation(broken.code)}</p>
        <p className="quiet">{checked === 0 ? "Nothing before it was checked." : `${blocks} were checked and fit.`}</p>
      </Callout>
    );
  }
  return (
    <Callout
      tone="good"
      title={isStopped ? "Stopped; what was checked is intact" : "The audit is intact"}
      onClose={on.onClose}
    >
      <p>
        {checked === 0
          ? "No entry is in a block yet."
          : `${blocks} were recomputed: ${counted(checked, "entry", "entries")}, none changed.`}
        {eventsGone + eventsCut === 0
          ? ""
          : ` Retention or an erasure deleted ${counted(eventsGone, "line")} of timelines and the texts of ${count(eventsCut)}.`}
      </p>
      <p className="quiet">
        Last block: <code>{`${head.block}:${head.hash}`}</code>. Store it outside of this database:{" "}
        <code>skedchange audit verify --head</code> then also finds a chain that was rewritten as a whole.
      </p>
      {from === 1 ? null : (
        <Button size="xs" variant="default" onClick={on.onAll}>
          Verify all from the first block
        </Button>
      )}
    </Callout>
  );
}

function count(of: number): string {
  return of.toLocaleString("en");
}
