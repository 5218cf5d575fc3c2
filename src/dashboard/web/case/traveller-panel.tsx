import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import type { CaseView } from "../api/responses.ts";
import { useMay } from "../api/session.ts";
import { ContactHistory } from "./contact-history.tsx";
import { LazyTravellerText } from "./lazy-traveller-text.ts";
import { TravellerList } from "./traveller-list.tsx";
import "./traveller-panel.css";

/** Who travels, how to reach them, and what they were told. */
export function TravellerPanel({ caseView }: { readonly caseView: CaseView }) {
  const mayRead = useMay("readTravellers");
  return (
    <section className="panel travellers" aria-labelledby="traveller">
      <h2 id="traveller">Travellers</h2>
      {mayRead ? (
        <>
          <TravellerList caseView={caseView} />
          <TextForTravellers caseView={caseView} />
        </>
      ) : (
        <p className="quiet">Names, contacts and tickets are personal data. Only agents and above can see them.</p>
      )}
      <ContactHistory caseView={caseView} />
    </section>
  );
}

function TextForTravellers({ caseView }: { readonly caseView: CaseView }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" className="write" onClick={() => setIsOpen(true)}>
        Write to travellers …
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Write to travellers"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <LazyTravellerText caseView={caseView} />
      </Modal>
    </>
  );
}
