/** A word that was replaced, and what is said in its place. */
export interface RetiredWord {
  /** In lower case; `hand over` is `handOver`, too. */
  readonly word: string;
  readonly use: string;
  /** Declared names only when not given. */
  readonly in?: readonly ("name" | "title" | "page text")[];
  /** Names and texts that may have it: those of stored data, of the API and of libraries. */
  readonly except?: readonly string[];
}

/** See docs/glossary.md for the words in use. */
export const retiredWords: readonly RetiredWord[] = [
  { word: "sighted", use: "parsed" },
  { word: "overruled", use: "manualReviewReason", except: ["overruled"] },
  { word: "appoint", use: "activate" },
  { word: "appointment", use: "activation" },
  { word: "appointed", use: "activated" },
  { word: "tell", use: "what is done: log, signal, inform, build" },
  { word: "tells", use: "what is done" },
  { word: "telling", use: "what is done" },
  { word: "told", use: "informed, shown or logged" },
  { word: "untold", use: "omitted" },
  { word: "say", use: "print or format" },
  { word: "says", use: "what it states" },
  { word: "said", use: "sentence or reason" },
  { word: "seal", use: "encrypt (a body) or chain (an audit entry)" },
  { word: "sealed", use: "encrypted or chained" },
  { word: "sealing", use: "encryption" },
  { word: "sealer", use: "chainer" },
  { word: "story", use: "scenario script" },
  { word: "misbehaviour", use: "fault injector" },
  { word: "misbehave", use: "inject faults" },
  { word: "misbehaving", use: "faulty" },
  { word: "wish", use: "input" },
  { word: "wishes", use: "input" },
  { word: "stranger", use: "unauthenticated caller" },
  { word: "trouble", use: "last error", except: ["trouble"] },
  { word: "stranded", use: "unattended" },
  { word: "damage", use: "inconsistency", except: ["damage"] },
  { word: "damaged", use: "inconsistent" },
  { word: "damages", use: "inconsistencies" },
  { word: "keep", use: "save, store or maintain", except: ["keepAliveMs", "keepLastIfActive"] },
  { word: "keeps", use: "saves" },
  { word: "kept", use: "stored" },
  { word: "keeping", use: "store context" },
  { word: "made up", use: "synthetic" },
  { word: "hand over", use: "escalate" },
  { word: "overslept", use: "lease expired" },
  { word: "obey", use: "apply" },
  { word: "heard", use: "lastResponseAt" },
  { word: "hear", use: "receive" },
  { word: "woken", use: "requeued" },
  { word: "wake", use: "requeue", except: ["wake"] },
  { word: "needed roles", use: "required roles" },
  { word: "why not", use: "notPossibleReason" },
  { word: "lay out", use: "build itinerary" },
  { word: "look for", use: "expectation" },
  { word: "fate", use: "status after change" },
  { word: "fates", use: "status after change" },
  { word: "nothing yet", use: "no work yet" },
  { word: "held back", use: "in undo window" },
  { word: "ask about", use: "request review" },
  { word: "tries", use: "attempts" },
  {
    word: "replay",
    use: "reevaluate (a decision), reprocess (a notification) or resend (a delivery)",
    except: ["replayOf", "replayId"],
  },
  { word: "replays", use: "resends" },
  { word: "replayed", use: "resent", except: ["replayed"] },
];
