/**
 * The words by which a gateway tells that a change must not be answered as usual: follow up, warn, refuse, cancel, wait,
 * help somebody. What they find never holds a traveller's data, because it comes from the lists below.
 */

const rememberedLengthMax = 40;
const rememberedMax = 2_000;

/** What the names from the first unknown one down to a value say about it. */
export interface NamedContext {
  /** The word that makes everything below an order to stop; null if there is none. */
  readonly order: string | null;
  /** Whether that word only announces a text, so that ids and times beside the text say nothing. */
  readonly isOfText: boolean;
  /** Whether the names speak of coupons or tickets, whose states are single letters. */
  readonly isOfCoupon: boolean;
  /** Whether the innermost name, or the one above it, is that of a status, a code or a reason. */
  readonly isOfCode: boolean;
  /** Whether that is a status or an advice, where `NO` means that there is no seat. */
  readonly isOfStatus: boolean;
  /** Whether the innermost name is that of a key or a number of something. */
  readonly isOfKey: boolean;
  /** Whether the innermost name says that something is in order, so that a no tells to stop. */
  readonly isOfConsent: boolean;
}

export const nothingNamed: NamedContext = {
  order: null,
  isOfText: false,
  isOfCoupon: false,
  isOfCode: false,
  isOfStatus: false,
  isOfKey: false,
  isOfConsent: false,
};

/** Reads one more name. */
export function namedBelow(above: NamedContext, name: string): NamedContext {
  const words = wordsIn(name);
  const isOfTerms = terms.test(words);
  const own = orderNamedIn(words, isOfTerms);
  const outer = isOfTerms && above.order !== null && ofTerms.has(above.order) ? null : above.order;
  // The outermost order counts, but one that only announces a text gives way to any other.
  const isOwn = own !== null && (outer === null || (above.isOfText && !own.isOfText));
  const order = isOwn ? own.word : outer;
  const isOfText = isOwn ? own.isOfText : above.isOfText;
  const isOfCode = codes.test(words) && !keyCodes.test(words);
  const isOfKey = keys.test(words);
  return {
    order: order !== null && isOfText && isOfKey ? null : order,
    isOfText,
    isOfCoupon: above.isOfCoupon || coupons.test(words),
    isOfCode: isOfCode || (above.isOfCode && generic.test(words)),
    isOfStatus: /\b(?:status|advice)\b|status$/.test(words) || (above.isOfStatus && generic.test(words)),
    isOfKey,
    isOfConsent: consents.test(words),
  };
}

/** Returns the word that makes a value an order to stop, whatever it is named; null if none does. */
export function orderInValue(text: string, named: NamedContext): string | null {
  if (named.isOfStatus && text.trim() === "NO") return "NO";
  if (isNeutral(text)) return named.isOfConsent && isNo.test(text) ? "not in order" : null;
  const token = text.trim().toUpperCase();
  const [, status = ""] = /^([A-Z]{2,3})\d{0,2}$/.exec(token) ?? [];
  if (named.isOfCode && stopStatuses.has(status)) return status;
  if (named.isOfCoupon && stopCoupons.has(token)) return token;
  const words = wordsIn(text);
  if (named.isOfCode && stopStates.test(words)) return stopStates.exec(words)![0];
  return orderInWords(words);
}

const orderInWords = remembered((words) => wordFoundIn(words, [instructions, ...allOrders]));

/** Whether the word for an order to stop is about somebody who needs help. */
export function isNeed(word: string): boolean {
  return needs.test(word);
}

/** Whether it is that, or only announces a text. */
export function isNeedOrText(word: string): boolean {
  return isNeed(word) || texts.test(word);
}

/** Whether the word for an order to stop says that something has ended, is refused or is not confirmed. */
export function isEnd(word: string): boolean {
  return (
    /^[A-Z]{2,3}$/.test(word) ||
    /^(?:cancel|void|refund|no ?show|reject|refus|suspen|terminat|expired|lapsed|annul|storn)/.test(word)
  );
}

/** Whether the word for an order to stop tells to speak with the airline. */
export function isToContact(word: string): boolean {
  return /^(?:call|contact|phone|telephone|ring)/.test(word);
}

/** Whether a value says that there is nothing of what its name says. */
export const isNeutral = remembered((text) => neutral.test(wordsIn(text)) || /^[-–—.0\s]*$/.test(text));

/** In lower case without accents, with blanks between the words of `SellerFollowUp`, `seller-follow_up` and `OSIText2`. */
export const wordsIn = remembered((name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$1$3$4$5 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase(),
);

/** The same short names and values come with every view of a gateway. */
function remembered<Result>(of: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = of(text);
    if (text.length > rememberedLengthMax) return result;
    if (results.size === rememberedMax) results.clear();
    results.set(text, result);
    return result;
  };
}

function orderNamedIn(words: string, isOfTerms: boolean): { readonly word: string; readonly isOfText: boolean } | null {
  const text = wordFoundIn(words, [texts]);
  const word = wordFoundIn(words, isOfTerms ? [orders] : allOrders);
  if (word !== null) return { word, isOfText: false };
  return text === null ? null : { word: text, isOfText: true };
}

function wordFoundIn(words: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(words);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/** Each alternative is a stem that begins a word, or one that also stands in a word written as one. */
function stems(beginning: readonly string[], anywhere: readonly string[] = []): RegExp {
  return new RegExp([`\\b(?:${beginning.join("|")})`, ...anywhere].join("|"), "u");
}

/** They tell to do something, warn or refuse. */
const orders = stems(
  [
    ...["follow ?up", "actions? (?:required|needed|requested)", "(?:required|needed|pending|seller|agent) ?actions?"],
    ...[
      "action ?(?:codes?|types?|names?)?$",
      "warn",
      "errors?\\b",
      "faults?\\b",
      "fail",
      "alert",
      "caution",
      "exceptions?\\b",
    ],
    ...["problem", "critical", "urgent", "declin", "den(?:y|ied|ial)\\b", "block(?:ed|ing|s)?\\b", "frozen", "freeze"],
    ...["pending\\b", "on ?hold\\b", "held\\b", "holds?\\b(?! ?(?:bag|luggage))", "stand ?by\\b", "await", "terminat"],
    ...["revok", "withdraw", "withdrawn", "expired", "lapsed", "dispute", "fraud", "embargo", "quarantin", "recall"],
    ...[
      "detain",
      "seiz",
      "missing",
      "lost\\b",
      "damag",
      "overdue",
      "unable",
      "unavailab",
      "invalid",
      "mismatch",
      "conflict",
    ],
    ...[
      "out of (?:sync|order|service)",
      "(?:call|contact|phone) ?(?:airline|carrier|seller|supplier|office|agent|desk)",
    ],
    ...["fehler", "erreur", "achtung", "attention", "gesperrt", "abgesagt", "gestrichen", "ausstehend", "incident"],
    ...[
      "dis(?:continu|rupt|connect|charg)",
      "abort",
      "abandon",
      "stop(?:ped|order)\\b",
      "halt(?:ed)?\\b",
      "escalat",
      "dnr\\b",
    ],
  ],
  [
    ...["followup", "reshop", "waitlist", "wait list", "reject", "refus", "suspen", "unconfirm", "offload", "overbook"],
    ...[
      "oversold",
      "reprotect",
      "chargeback",
      "undeliver",
      "denied",
      "warning",
      "(?<!in)voluntar",
      "backorder",
      "back order",
    ],
  ],
);

/** They tell of an end, unless they are about what that would cost or until when it may be done. */
const ends = stems(
  [
    "void",
    "refund",
    "no ?show",
    "rebook",
    "reissu",
    "reaccommod",
    "delet",
    "remov",
    "storn",
    "annul",
    "dropped",
    "closed",
  ],
  ["cancel", "noshow"],
);

/** They tell of somebody who needs help. */
const needs = stems(
  [
    ...["medic", "medif", "meda\\b", "assist", "escort", "deaf", "blind", "mobility", "impair", "oxygen", "stretcher"],
    ...[
      "special (?:needs?|requests?|services?|handling|care)",
      "unaccompanied",
      "umnr\\b",
      "umn\\b",
      "unn\\b",
      "minors?\\b",
    ],
    ...[
      "wch[rsc]?\\b",
      "blnd\\b",
      "maas\\b",
      "dpna\\b",
      "allerg",
      "pregnan",
      "infirm",
      "handicap",
      "behinder",
      "rollstuhl",
    ],
    ...[
      "gehorlos",
      "silla de ruedas",
      "fauteuil roulant",
      "aveugle",
      "sourd",
      "ciego",
      "sordo",
      "discapac",
      "needs?\\b",
    ],
    ...["service animal", "guide dog", "emotional support"],
  ],
  ["wheelchair", "disab(?:il|l)"],
);

const allOrders = [orders, ends, needs];

/** What stands under them is meant for people. */
const texts = stems(
  [
    ...["comments?\\b", "notes?\\b", "messages?\\b", "notices?\\b", "notification", "advisor(?:y|ies)\\b", "osis?\\b"],
    ...[
      "ssrs?\\b",
      "instructions?\\b",
      "memos?\\b",
      "annotation",
      "announcement",
      "bulletin",
      "narrative",
      "free ?text",
    ],
    ...["hinweis", "bemerkung", "remarques?\\b", "avis\\b", "observaci", "aviso"],
  ],
  ["remark"],
);

/** Only in texts, where these are orders; in names they are not. */
const instructions = stems([
  ...[
    "do(?: no|n) ?t\\b",
    "must\\b",
    "please\\b",
    "(?:call|contact|phone|telephone|ring)\\b",
    "stop\\b",
    "not (?:confirmed|valid|accepted|available|possible)",
  ],
  ...[
    "no longer",
    "required",
    "asap\\b",
    "anruf",
    "kontaktier",
    "llam(?:ar|e)\\b",
    "appel(?:er|ez)\\b",
    "contacter",
    "rappel",
  ],
]);

/** Words about what something costs, and until when it may be done. */
const terms =
  /\b(?:polic(?:y|ies)|fees?|penalt(?:y|ies)|rules?|terms?|conditions?|charges?|costs?|prices?|amounts?|totals?|tax(?:es)?|currenc(?:y|ies)|insurance|allow(?:ed|ance)|permitted|eligib\w*|\w+[ai]ble|percent\w*|rates?|window|by|until|before|deadline|free|limit|latest|cut ?off|grace|bag(?:s|gage)?|luggage)\b/;

const ofTerms: ReadonlySet<string> = new Set(["void", "refund", "no show", "noshow", "rebook", "reissu", "cancel"]);

const codes =
  /\b(?:status(?:es)?|states?|codes?|reasons?|actions?|advices?|types?|categor(?:y|ies)|indicators?|flags?|results?|outcomes?|dispositions?|decisions?|verdicts?|levels?|modes?|stages?|phases?|coupons?|conditions?|motives?|causes?)\b|status|code\b/;

const keyCodes =
  /\b(?:booking|confirmation|reservation|record|promo\w*|voucher|tracking|access|bar|qr|zip|post(?:al)?|discount|coupon|agency|security) ?codes?\b/;

/** A name that says nothing by itself, as in `Status: { Value: "HX" }`. */
const generic = /^(?:values?|codes?|texts?|names?|ids?|content|current|new|old|to|from|attributes?|data|items?|\d+)$/;

const keys =
  /\b(?:ids?|identifiers?|uuids?|guids?|keys?|refs?|references?|numbers?|nos?|nbrs?|nums?|locators?|pnrs?|tokens?|serials?|hash|digest|checksum|signature|etag|version|date|time|timestamp|at|on|author|created|updated|languages?|lang|url|uri|links?|href|count|quantity|sequence)\b|(?:id|key|uuid|number|reference|locator)$/;

const coupons = /\b(?:coupons?|tickets?|documents?|emds?|etickets?|cpns?)\b/;

const consents = /\b(?:confirmed|valid|guaranteed|operating|in ?sync|synchroni[sz]ed|approved)\b/;

const isNo = /^(?:n|no|false|0|off|nein|non)$/i;

const neutral =
  /^(?:false|no|n|off|none|null|nil|n a|na|not applicable|nein|non|nichts|keine?|ninguno|aucune?|ok|okay|success(?:ful)?|complete[d]?|cleared|released|resolved|normal|confirmed|hk|tk|kk|kl|sc|rr|(?:no|not|none|without) (?:actions?|warnings?|errors?|remarks?|assistance|special \w+|needed|required|requested|cancel\w*|reject\w*|suspended|pending|on hold)(?: \w+)?)$/;

/**
 * Codes of segments that are no confirmation: refused, cancelled, unable, waitlisted, requested. HK, TK, KK, KL, SC and RR
 * confirm.
 */
const stopStatuses: ReadonlySet<string> = new Set([
  ...[
    "HX",
    "UN",
    "UC",
    "NO",
    "US",
    "UNS",
    "UU",
    "UX",
    "UR",
    "UL",
    "HL",
    "LL",
    "PN",
    "HN",
    "NN",
    "NR",
    "NA",
    "HQ",
    "PA",
    "PB",
  ],
  ...[
    "PC",
    "PD",
    "PX",
    "DL",
    "DX",
    "DS",
    "XX",
    "XK",
    "XL",
    "XR",
    "XN",
    "IX",
    "OX",
    "TN",
    "TL",
    "WL",
    "WK",
    "WN",
    "NS",
    "SA",
  ],
  ...["SB", "LK", "EX", "RX", "RQ", "CX", "CN"],
]);

/** States of coupons in which a ticket is used, withheld or gone; open ones are O or I. */
const stopCoupons: ReadonlySet<string> = new Set("ABCEFGLNPRSTUVXZ");

const stopStates =
  /^(?:used|flown|lifted|checked in|boarded|exchanged|printed|inactive|closed|ended|not \w+|unused|partially used|open jaw|failed|failure|error|unknown|requested|on request|waiting|wait|hold|stop|bad|ko|down|dead)$/;
