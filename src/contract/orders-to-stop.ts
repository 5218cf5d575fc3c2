import {
  codedStopStates,
  ended,
  ends,
  instructions,
  needs,
  needsOfKind,
  notInOrder,
  orders,
  otherMeanings,
  stopStates,
  texts,
} from "./stop-words.ts";
import { remembered, wordsIn } from "./words-in.ts";

/**
 * Finds what tells that a change must not be answered as usual: follow up, warn, refuse, cancel, wait, help somebody. What
 * is found never holds a traveller's data, because it comes from the dictionary.
 */

/** What the names from the first unknown one down to a value say about it. */
export interface NamedContext {
  readonly order: NamedOrder | null;
  /** Whether the names speak of coupons or tickets. */
  readonly isOfCoupon: boolean;
  /** Whether the innermost name may be that of the state of one, which is a single letter. */
  readonly isOfCouponState: boolean;
  /** Whether the innermost name, or the one above it, is that of a status, a code or a reason. */
  readonly isOfCode: boolean;
  /** Whether that is a status or an advice, where `NO` means that there is no seat. */
  readonly isOfStatus: boolean;
  /** Whether the innermost name is that of a thing with codes of its own, such as a country: `US`. */
  readonly isOfThing: boolean;
  /** Whether it may be that of the state of a segment. */
  readonly isOfSegmentState: boolean;
  /** Whether the innermost name is that of a tariff, below which a cancellation is a price. */
  readonly isOfTariff: boolean;
  /** Whether the innermost name is that of a key or a number of something. */
  readonly isOfKey: boolean;
  /** Whether the innermost name says that something is in order, so that a no tells to stop. */
  readonly isOfConsent: boolean;
  /** Whether the innermost name asks how something is done: `Phone`. */
  readonly isOfManner: boolean;
}

/** Makes everything below its name an order to stop. */
export interface NamedOrder {
  readonly word: string;
  /**
   * What is below an `end` may be its terms, such as a fee. A `text` is for people, so that ids and times beside it say
   * nothing.
   */
  readonly kind: "plain" | "end" | "text";
}

export const nothingNamed: NamedContext = {
  order: null,
  isOfCoupon: false,
  isOfCouponState: false,
  isOfCode: false,
  isOfStatus: false,
  isOfThing: false,
  isOfSegmentState: false,
  isOfTariff: false,
  isOfKey: false,
  isOfConsent: false,
  isOfManner: false,
};

/** Reads one more name. */
export function namedBelow(above: NamedContext, name: string): NamedContext {
  const own = traitsOf(name);
  const { isGeneric, isOfKey } = own;
  const isOfThing = own.isOfThing || (above.isOfThing && isGeneric);
  const isOfCoupon = above.isOfCoupon || own.isOfCoupon;
  const order = outermostOrder(above, own);
  return {
    order: order?.kind === "text" && (isOfKey || own.isOfForm) ? null : order,
    isOfCoupon,
    isOfCouponState: isOfCoupon && !isOfThing && (own.isOfState || isGeneric || own.endsInCoupon),
    isOfCode: own.isOfCode || (above.isOfCode && isGeneric),
    isOfStatus: own.isOfStatus || (above.isOfStatus && isGeneric),
    isOfThing,
    isOfSegmentState: !isOfThing && (own.isOfState || (above.isOfSegmentState && isGeneric)),
    isOfTariff: own.isOfTariff,
    isOfKey,
    isOfConsent: own.isOfConsent,
    isOfManner: own.isOfManner,
  };
}

/** What a name says by itself. */
const traitsOf = remembered((name) => {
  const words = wordsIn(name);
  const isOfKeyCode = keyCodes.test(words);
  const order = orderNamedIn(words, false);
  return {
    order,
    orderBesideTerms: order === null ? null : orderNamedIn(words, true),
    isGeneric: generic.test(words),
    isOfCode: codes.test(words) && !isOfKeyCode && !measures.test(words),
    isOfState: segmentStates.test(words) && !isOfKeyCode,
    isOfStatus: statuses.test(words),
    isOfThing: things.test(words) && !states.test(words),
    isOfCoupon: coupons.test(words),
    endsInCoupon: couponAtEnd.test(words),
    isOfTerms: terms.test(words),
    isOfTariff: tariffs.test(words),
    isOfKey: keys.test(words),
    isOfForm: forms.test(words),
    isOfConsent: consents.test(words),
    isOfManner: manners.test(words),
  };
});

/** One that only announces a text gives way to any other. */
function outermostOrder(above: NamedContext, own: ReturnType<typeof traitsOf>): NamedOrder | null {
  const isOfTerms = above.isOfTariff || own.isOfTerms;
  const outer = isOfTerms && above.order?.kind === "end" ? null : above.order;
  const inner = isOfTerms ? own.orderBesideTerms : own.order;
  return inner !== null && (outer === null || (outer.kind === "text" && inner.kind !== "text")) ? inner : outer;
}

function orderNamedIn(name: string, isOfTerms: boolean): NamedOrder | null {
  const words = name.replaceAll(otherMeanings, " ").trim();
  const plain = wordFoundIn(words, orders) ?? (isOfTerms ? null : wordFoundIn(words, needs));
  if (plain !== null) return { word: plain, kind: "plain" };
  const end = wordFoundIn(words, isOfTerms ? ended : ends);
  if (end !== null) return { word: end, kind: ended.test(words) ? "plain" : "end" };
  const text = wordFoundIn(words, texts);
  return text === null ? null : { word: text, kind: "text" };
}

/** Returns the word that makes a value an order to stop, whatever it is named; null if none does. */
export function orderInValue(text: string, named: NamedContext): string | null {
  if (named.isOfStatus && text.trim() === "NO") return "NO";
  if (isNeutral(text)) return named.isOfConsent && isNo.test(text) ? "not in order" : null;
  const token = text.trim().toUpperCase();
  const [, status = ""] = /^([A-Z]{2,3})\d{0,2}$/.exec(token) ?? [];
  if (named.isOfSegmentState && stopStatuses.has(status)) return status;
  if (named.isOfCouponState && stopCoupons.has(token)) return token;
  const words = wordsIn(text);
  if (named.isOfCode && codedStopStates.test(words)) return words;
  if (named.isOfManner && /^(?:call|contact|phone|telephone)$/.test(words)) return null;
  return orderInWords(words);
}

/** Returns the word for an order to stop as it was found before; null if nothing of it comes from the dictionary. */
export function stopWordAgain(word: string): string | null {
  if (/^[A-Z]{1,3}$/.test(word) || word === "not in order") return word;
  const named = { ...nothingNamed, isOfCode: true };
  return orderInValue(word, named) ?? namedBelow(nothingNamed, word).order?.word ?? null;
}

const orderInWords = remembered((text) => {
  if (stopStates.test(text)) return text;
  const words = text.replaceAll(otherMeanings, " ").trim();
  const end = terms.test(words) ? ended : ends;
  return (
    [instructions, orders, notInOrder, end, needs]
      .map((pattern) => wordFoundIn(words, pattern))
      .find((word) => word !== null) ?? null
  );
});

/**
 * Returns the word that makes the name of a thing, such as of an airline, an airport or a terminal, an order to stop. Such
 * names have many words of the dictionary (Contact Air, Minor Hotels), so only those count that none can have.
 */
export const orderInProperName = remembered((text) => orderAmong(text, [orders, notInOrder, ended]));

/** The same for the name of a product, which may sell the opposite: `Alerts by SMS`, `Wait list for upgrades`. */
export const orderInProductName = remembered((text) => orderAmong(text, [ended]));

function orderAmong(text: string, patterns: readonly RegExp[]): string | null {
  const words = wordsIn(text).replaceAll(otherMeanings, " ").trim();
  return patterns.map((pattern) => wordFoundIn(words, pattern)).find((word) => word !== null) ?? null;
}

/** Returns the kinds of help that somebody needs by a text, the general one only if no other is named. */
export const needsIn = remembered((text): readonly string[] => {
  const words = wordsIn(text).replaceAll(otherMeanings, " ").trim();
  if (!needs.test(words)) return [];
  const kinds = needsOfKind.filter(([, pattern]) => pattern.test(words)).map(([kind]) => kind);
  return kinds.length > 1 ? kinds.filter((kind) => kind !== generalNeed) : kinds;
});

const generalNeed = "other assistance";

/** Whether the word for an order to stop is about somebody who needs help. */
export function isNeed(word: string): boolean {
  return needs.test(word);
}

/** Whether the word for an order to stop only announces a text. */
export function isText(word: string): boolean {
  return texts.test(word);
}

/** Whether it is that, or about somebody who needs help. */
export function isNeedOrText(word: string): boolean {
  return isNeed(word) || isText(word);
}

/** Whether the word for an order to stop says that something has ended, is refused or is not confirmed. */
export function isEnd(word: string): boolean {
  return (
    /^[A-Z]{2,3}$/.test(word) ||
    /^(?:cancel|cxl|xxld|cxx|void|refund|no ?show|reject|refus|suspen|terminat|expired|lapsed|ann?ul|storn|recha[cz]|reje|respint|rifiut|abgelehnt|zurue?ckgewiesen)/.test(
      word,
    )
  );
}

/** Whether the word for an order to stop tells to speak with the airline. */
export function isToContact(word: string): boolean {
  return /^(?:call|contact|phone|telephone|ring|anruf|anzurufen|kontaktier|rue?ck(?:ruf|frage|sprache)|llam|appel|rappel|chiama|richiam|contat|ligar|ligue)/.test(
    word,
  );
}

/** Whether the word for an order to stop tells what not to do. */
export function isToRefrain(word: string): boolean {
  return /^(?:do not|don ?t|dnr|hands off|untouched|stop|no longer|can ?not|ne pas)\b/.test(word);
}

/** Whether the word for an order to stop tells to wait, or of somebody who waits. */
export function isToWait(word: string): boolean {
  return /^(?:pending|on hold|h[eo]ld|stand ?by|await|wait|back ?order|queued|in queue|outstanding|postponed|deferred|ausstehend|warte|pend[ie]|en espera|em espera|lista de espera|esperar|aguard|en attente|attendre|liste d attente|in attesa|attendere|lista d attesa)/.test(
    word,
  );
}

/** Whether a value says that there is nothing of what its name says. */
export const isNeutral = remembered((text) => neutral.test(wordsIn(text)) || /^[-–—.,0\s]*$/.test(text));

function wordFoundIn(words: string, pattern: RegExp): string | null {
  return pattern.exec(words)?.[0].trim() ?? null;
}

/** Words about what something costs, and until when it may be done. */
const terms =
  /\b(?:polic(?:y|ies)|fees?|penalt(?:y|ies)|rules?|terms?|conditions?|charges?|costs?|prices?|amounts?|totals?|tax(?:es)?|currenc(?:y|ies)|insurance|allow(?:ed|ance)|permitted|eligib\w*|\w+[ai]b(?:le|ility)|percent\w*|rates?|window|by|until|before|deadline|free|limit|latest|cut ?off|grace|bag(?:s|gage)?|luggage|kostenlose?[nrs]?|kostenfrei\w*|frist|bis|\w*fae?hig|\w+bar|gratis|gratuit[aeos]*|tasas?|taxas?|frais|hasta|ate|jusqu|entro|fino|\w+(?:avel|ivel|abile|ibile|aveis|abili))\b|gebue?hr|frist\b/;

const tariffs =
  /\b(?:polic(?:y|ies)|fees?|penalt(?:y|ies)|rules?|terms|conditions|charges|costs?|prices?|tariffs?|tarif[ae]?|tariff[ae]|tasas?|taxas?|frais|gebue?hren)$/;

const statuses = /\b(?:status|advice|sts|stat|stato|estado|etat|statut|zustand)\b|status$/;

const codes =
  /\b(?:status(?:es)?|sts|stat|states?|codes?|cds?|reasons?|actions?|advices?|types?|categor(?:y|ies)|indicators?|flags?|results?|outcomes?|dispositions?|decisions?|verdicts?|levels?|modes?|stages?|phases?|coupons?|conditions?|motives?|causes?|stato|estado|etat|statut|zustand|grund|situacion|situacao|situation|motivo|motif)\b|status|code\b/;

const keyCodes =
  /\b(?:booking|confirmation|reservation|record|promo\w*|voucher|tracking|access|bar|qr|zip|post(?:al)?|discount|coupon|agency|security) ?codes?\b/;

/** A name that says nothing by itself, as in `Status: { Value: "HX" }`. */
const generic = /^(?:values?|codes?|texts?|names?|ids?|content|current|new|old|to|from|attributes?|data|items?|\d+)$/;

/** Whatever is measured, such as a status, it is a number. */
const measures =
  /\b(?:counts?|quantit(?:y|ies)|amounts?|totals?|sums?|percent\w*|index|score|weight|sizes?|length|minutes?|hours?|days?|seconds?|ms|km|kg)$/;

const keys =
  /\b(?:ids?|identifiers?|uuids?|guids?|keys?|refs?|references?|numbers?|nos?|nrs?|nbrs?|nums?|locators?|pnrs?|tokens?|serials?|hash|digest|checksum|signature|etag|version|timestamp|author|languages?|lang|url|uri|links?|href|count|quantity|sequence|at|on|date|time|created|updated)(?: (?:value|text|\d+))?$|^(?:numero|num|referencia)\b|(?:id|key|uuid|number|reference|locator)$/;

/** What may have a code of two letters that is also one of a segment. */
const things =
  /\b(?:countr(?:y|ies)|nation(?:ality)?|languages?|lang|locale|airlines?|carriers?|regions?|provinces?|currenc(?:y|ies)|rooms?|beds?|boards?|meals?|cit(?:y|ies)|airports?|aircrafts?|equipment|cabins?|brands?|products?|sections?|(?:document|ticket|coupon|card|passport) ?(?:types?|kinds?|class|grade)|iata|iso|land|pais|pays|paese|langue|idioma|lingua|sprache)\b/;

/** Of a thing as well, it is a state: `CarrierStatus`. */
const states = /status|\b(?:sts|stat|advices?|actions?|reasons?|results?|stato|estado|etat|statut|zustand)\b/;

/** What names the state of a segment or a coupon, which is a code. */
const segmentStates =
  /status|code\b|\b(?:sts|stat|states?|codes?|cds?|reasons?|actions?|advices?|results?|dispositions?|stato|estado|etat|statut|zustand|situacion|situacao|situation)\b/;

const coupons = /\b(?:coupons?|tickets?|tkts?|documents?|emds?|etickets?|cpns?)\b/;
const couponAtEnd = /\b(?:coupons?|tickets?|tkts?|documents?|emds?|etickets?|cpns?)(?: \d+)?$/;

/** How a text is written or sent, beside it. */
const forms = /\b(?:formats?|channels?|categor(?:y|ies)|encoding|mime|media|enabled|allowed|supported)$/;

const manners =
  /\b(?:preferred|contact|channels?|mediums?|media|methods?|means|via|preferences?|devices?|types?|kinds?|kanal|canal|canale|weg)\b/;

const consents =
  /\b(?:confirmed|valid|guaranteed|operating|in ?sync|synchroni[sz]ed|approved|granted|released?|ticketed|accepted|acceptance|acceptable|can ?accept|actionable|automation|auto ?(?:accept\w*|confirm\w*|process\w*|allowed)|allow ?auto\w*|bestae?tigt|gue?ltig|freigegeben|freigabe|confirmad[ao]|confirmee?|confermat[ao]|aprobad[ao]|aprovad[ao]|approuvee?|approvat[ao])\b/;

const isNo = /^(?:n|no|false|0|off|nein|non|nao|não)$/i;

const neutral =
  /^(?:false|no|n|off|none|null|nil|n a|na|not applicable|nein|non|nichts|keine?|ninguno|aucune?|ok|okay|success(?:ful)?|complete[d]?|cleared|released|resolved|normal|confirmed|hk|tk|kk|kl|sc|rr|(?:no|not|none|without) (?:actions?|warnings?|errors?|remarks?|assistance|special \w+|needed|required|requested|cancel\w*|reject\w*|suspended|pending|on hold)(?: \w+)?)$/;

/**
 * Codes of segments that are no confirmation: refused, cancelled, unable, waitlisted, requested. HK, TK, KK, KL, SC and RR
 * confirm.
 */
const stopStatuses: ReadonlySet<string> = new Set(
  [
    "HX UN UC NO US UNS UU UX UR UL HL LL PN HN NN NR NA HQ PA PB PC PD PX DL DX DS XX XK XL XR XN IX OX TN TL WL WK WN NS",
    "SA SB LK EX RX RQ CX CN",
  ].flatMap((codes) => codes.split(" ")),
);

/** States of coupons in which a ticket is used, withheld or gone; open ones are O or I. */
const stopCoupons: ReadonlySet<string> = new Set("ABCEFGLNPRSTUVXZ");
