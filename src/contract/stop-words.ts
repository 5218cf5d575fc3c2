/**
 * The dictionary by which orders to stop are found, compared with `wordsIn`. Separated by commas: `deny` is a whole word,
 * `cancel*` begins one, `*reject*` also stands within one; `^stop` begins the text, `action$` ends it. A blank may be
 * missing in what is compared (`followup`); ä, ö and ü also stand for ae, oe and ue, any other accent for none.
 *
 * What is under a name of the dictionary stops whatever its value is, so words for names are narrow. A value is marked by
 * itself anyway, so words for values are wide.
 */
function dictionary(byLanguage: Readonly<Record<string, string>>): RegExp {
  const byEdges = new Map<string, string[]>();
  for (const entry of Object.values(byLanguage).flatMap((list) => list.split(","))) {
    const [, before, words, after] = /^\s*([*^]?)(.*?)([*$]?)\s*$/s.exec(entry)!;
    const edges = `${before === "" ? "\\b" : before === "^" ? "^" : ""}|${after === "" ? "\\b" : after === "$" ? "$" : ""}`;
    byEdges.set(edges, [...(byEdges.get(edges) ?? []), spellingsOf(words!)]);
  }
  const groups = [...byEdges].map(([edges, words]) => edges.replace("|", `(?:${words.join("|")})`));
  return new RegExp(groups.join("|"), "u");
}

function spellingsOf(words: string): string {
  return words
    .replace(/\s+/g, " ")
    .normalize("NFC")
    .replace(/[äöü]/gu, (letter) => `${letter.normalize("NFKD")[0]}e?`)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replaceAll(" ", " ?");
}

/** Words that tell to do something, warn, refuse or wait, in names and values. */
export const orders = dictionary({
  todo: `*follow up*, action required, actions required, action needed, actions needed, action requested,
    actions requested, required action, required actions, needed action, needed actions, pending action,
    pending actions, seller action, seller actions, agent action, agent actions, action$, action code$, action codes$,
    action type$, action types$, action name$, requires*, required$, needed$, rqrd$, manual handling, manual review,
    manual intervention, manual processing, manual check, intervention*, *reshop*, call airline, call carrier,
    call seller, call supplier, call office, call agent, call desk, contact airline, contact carrier, contact seller,
    contact supplier, contact office, contact agent, contact desk, phone airline, phone carrier, phone seller,
    phone supplier, phone office, phone agent, phone desk, escalated, escalation*, stop order, stop processing,
    stop sale, stop sales, reprice*, dnr, do not, dont, amount due, due amount, balance due, due balance, outstanding*,
    add collect*, additional collect*, addl collect*, rückruf*, rückfrage*, rücksprache*, klärung*, erforderlich$,
    nötig$, notwendig$, seguimiento*, requerid*, requis$, requise$`,
  warnings: `warn*, *warning*, error, errors, err, errs, fault, faults, fail, fails, failed, failing, failure*, alert,
    alerts, caution, exception, exceptions, problem, problems, critical, urgent*, incident, incidents, disrupt*,
    fraud*, mismatch*, conflict, conflicts, conflicting, dispute*, out of sync, out of order, out of service, invalid*,
    missing, lost, damaged, damage, damages, overdue, exceeded, missed, duplicate booking, duplicate bookings,
    superseded, violation*, illegal*, insolven*, bankrupt*, corrupt*, broken, complaint*, sanction*, suspect*,
    watch list*, duplicated, fehler*, achtung, vorsicht, dringend*, störung*, ungültig*, mahnung*, incidencia*, fallo,
    fallid*, attention, avertissement*, erreur*, echec*, echou*, litige*, advertencia*, erro, erros, falha, falhou,
    falhad*, avvertenza*, errore, errori, fallito, fallita`,
  refusals: `declin*, deny, denied, denies, denial*, *denied*, *reject*, *refus*, *suspen*, block, blocks, blocked,
    blocking, locked, lock reason, lock status, lock state, lock flag, lock indicator, booking lock, order lock,
    frozen, freeze, freezes, terminate, terminated, termination*, revok*, expired, lapsed, embargo*, quarantin*,
    recall*, detain*, seized, seizure, unable, unavailab*, discontinu*, disconnect*, discharged, abort*, abandon*,
    stopped, halted, *offload*, *overbook*, *oversold*, *oversell*, *reprotect*, *chargeback*, *undeliver*, *voluntar*,
    *unconfirm*, unticket*, untkt*, unfulfil*, unresolved, unanswered, unacknowledg*, unverified, unpaid, unsynchron*,
    desynchron*, unaccept*, insufficient*, unauthori*, inadmissib*, deportee*, gesperrt*, *sperre, abgelehnt*,
    ablehnung*, verweiger*, zurückgewiesen*, zurückgestellt*, vorbehalt*, unter vorbehalt, ausgesetzt*,
    fehlgeschlagen*, gescheitert*, abgelaufen*, verfallen*, unbestätigt*, unzustellbar*, rechazad*, rechazo*, denegad*,
    bloquead*, bloqueo, caducad*, vencid*, rejet*, perime, perimee, perimes, interdit*, blocage*, recusad*, rejeit*,
    negado, negada, expirad*, rifiut*, respint*, sospes*, negato, negata, bloccat*, scadut*`,
  waiting: `pending, on hold, held, hold, holds, stand by, await*, *wait list*, *back order*, ausstehend*, warteliste*,
    pendiente*, en espera, em espera, lista de espera, pendente*, aguard*, en attente, liste d attente, in attesa,
    lista d attesa`,
});

/** In any of them, the order ends. */
const cancellationWords = {
  en: `void, voids, voided, *cancel*, cxl*, canx, cnx, cnl, cnld, xld, xxld, cxx, xx, xl`,
  de: `storn*, annul*, abgesagt*`,
  romance: `anul*`,
};

/** Words that tell that the airline cancels, where what it does is stated. */
export const cancellations = dictionary(cancellationWords);

/** Words that tell that the airline takes something as accepted, where what it does is stated. */
export const acceptances = dictionary({
  en: `*accept*, acknowledg*`,
  de: `akzept*, angenommen*, annahme*`,
  romance: `acept*, aceit*, accett*`,
});

/** Words that tell of an end, in names and values, unless they are about its cost or its time limit. */
export const ends = dictionary({
  en: `void, voids, voided, refund*, *no show*, rebook*, reissu*, reaccommod*, delet*, remov*, dropped, closed,
    withdraw*, *cancel*, cxl*, canx, cnx, cnl, cnld, xld, xxld, cxx`,
  de: `storn*, annul*, gelöscht*, gestrichen*, abgesagt*, erstatt*, umgebucht*, umbuch*`,
  romance: `anul*, reembols*, rembours*, rimbors*, reemis*, riemis*`,
});

/** Words that tell that it has ended, even beside what it costs: `Cancelled by the airline`. */
export const ended = dictionary({
  en: `voided, refunded, no showed, rebooked, reissued, deleted, removed, withdrawn, cancelled, canceled, cxld, cnld,
    xld, xxld`,
  de: `storniert*, annulliert*, gelöscht*, gestrichen*, abgesagt*, erstattet*, umgebucht*`,
  romance: `cancelad*, anulad*, annule, annulee, annules, annullat*, cancellato, cancellata, cancellati, reembolsad*,
    rembourse, rimborsat*`,
});

/** Words that tell of somebody who needs help, by the kind of help, in names and values. */
const needsByKind: Readonly<Record<string, string>> = {
  "unaccompanied minor": `unaccompanied*, unescorted, without adult*, umnr, unmr, umn, unn, um service, minor, minors,
    alone, alleinreisend*, allein reisend*, *kind allein*, *kinderbetreuung*, menor no acompa*, menores no acompa*,
    menor sin acompa*, menores sin acompa*, mineur non accompagn*, mineurs non accompagn*, enfant non accompagn*,
    enfants non accompagn*, menor desacompanhad*, menores desacompanhad*, menor nao acompanhad*,
    menores nao acompanhad*, minore non accompagnat*, minori non accompagnat*, alleenreizend*`,
  wheelchair: `*wheel chair*, wch, wchr, wchs, wchc, *rollstuhl*, silla de ruedas, sillas de ruedas, fauteuil roulant,
    fauteuils roulants, chaise roulante, cadeira de rodas, cadeirante*, sedia a rotelle, sedie a rotelle, *rolstoel*,
    *rullstol*, *rullestol*, *kørestol*, *pyoratuol*, *wozek inwalidzk*, *wozka inwalidzk*, *invalidni vozik*,
    *kerekesszek*, *tekerlekli sandalye*, *инвалидн*, *αναπηρικ*, *轮椅*, *輪椅*, *車椅子*, *휠체어*, *كرسي متحرك*`,
  "blind passenger": `blind*, blnd, visually*, sehbehindert*, ciego, ciega, ciegos, aveugle*, malvoyant*, cego, cega,
    cegos, cieco, cieca, ciechi, ipovedent*, non vedent*`,
  "deaf passenger": `deaf*, hard of hearing, gehörlos*, sordo, sorda, sordos, sourd*, malentendant*, surdo, surda`,
  "intellectual or developmental disability": `dpna`,
  "meet and assist": `maas, meet assist*, meet and assist*, meet greet*, meet and greet*`,
  "medical case": `medic*, *medizinisch*, medif*, meda, med clearance, fit to fly, with nurse`,
  oxygen: `oxygen*, sauerstoff*, oxigeno, oxygene, oxigenio, ossigeno`,
  stretcher: `stretcher*, stcr, *krankentrage*, camilla, civiere, barella`,
  "emotional support animal": `emotional support*, esan`,
  "service animal": `service animal*, service dog*, assistance dog*, guide dog*, seeing eye*, svan, blindenhund*,
    begleithund*, *assistenzhund*, perro guia, perros guia, chien guide, cao guia, cane guida`,
  "other assistance": `assist, assists, assisted, assistance*, *assistenz*, escort*, mobility, impair*, special need*,
    special request*, special service*, special handling, special care, carer*, expectant mother, prm, inad, depu, depa,
    allerg*, pregnan*, infirm*, handicap*, need, needs, *disabl*, *disabil*, *behinder*, *begleitperson*, schwanger*,
    hilfebedarf*, hilfsbedürftig*, betreuung*, discapac*, embarazad*, asistencia*, movilidad reducida, enceinte,
    besoin*, mobilite reduite, deficien*, gravida*, assistencia*, mobilidade reduzida, incinta, assistenza*,
    mobilita ridotta`,
};

/** Words that tell of somebody who needs help, in names and values. */
export const needs = dictionary(needsByKind);

/** The same by the kind of help, the most general one last. */
export const needsOfKind: readonly (readonly [kind: string, words: RegExp])[] = Object.entries(needsByKind).map(
  ([kind, words]) => [kind, dictionary({ [kind]: words })],
);

/** What stands under them is meant for people. Only the last word of a name says what it is: not `MessageType`. */
export const texts = new RegExp(
  `(?:${
    dictionary({
      en: `*remark, *remarks, comment, comments, note, notes, message, messages, msg, msgs, notice, notices,
        notification, notifications, advisory, advisories, osi, osis, ssr, ssrs, instruction, instructions, memo,
        memos, annotation, annotations, announcement, announcements, bulletin, bulletins, narrative, narratives,
        free text, free flow, free form, free line, rmk, rmks`,
      de: `*hinweis, *hinweise, *hinweistext, *hinweistexte, *bemerkung, *bemerkungen, *anmerkung, *anmerkungen,
        *vermerk, *vermerke, *notiz, *notizen, *mitteilung, *mitteilungen, *nachricht, *nachrichten`,
      romance: `remarque, remarques, observacion, observaciones, observacao, observacoes, aviso, avisos, avviso,
        avvisi, mensaje, mensajes, mensagem, mensagens, messaggio, messaggi, nota, notas, commentaire, commentaires,
        comentario, comentarios, commento, commenti`,
    }).source
  })(?=(?: (?:texts?|txt|lines?|body|contents?|lists?|items?|infos?|information|details?|data|values?|codes?|elements?|groups?|sections?|blocks?|fields?|entr(?:y|ies)|requests?|status|\\d+|(?:to|for|from|of|by) .+|d\\w .+))*$)`,
  "u",
);

/** Only in values, where these tell to do something; in names they do not. */
export const instructions = dictionary({
  en: `don t, must, please, pls, plz, kindly, call, contact, phone, telephone, ring, ^stop, no longer, asap, cannot,
    can not, wait, wait for, hands off, untouched, refer to, advise, advz, pls adv, required, requires, require,
    requiring, needed, rqrd, rqd, reqd, otherwise, adtk, verify, urgent*, revalidat*, get back, mandatory, to be confirmed,
    to be reissued, to be approved, before accepting, expires before, no visa, no passport`,
  de: `anruf, anrufen, anzurufen, kontaktier*, bitte, erforderlich*, nötig, notwendig*, benötigt*, fehlt, fehlen,
    fehlend*, muss, müssen, warten, wartet, zwingend, rücksprache*, zu klären, in prüfung, wird geprüft, neu ausstell*,
    neuausstell*, braucht, brauchen, noch offen, zu bestätigen`,
  es: `llamar, llame, contactar, contacte, requiere*, requerid*, necesari*, necesita*, falta, faltan, ^atencion,
    ^atencao, por favor, debe, esperar, revisar, por confirmar, por emitir, por aprobar`,
  fr: `bloque, bloquee, bloques, appeler, appelez, rappel, rappeler, rappelez, contacter, contactez, ne pas, requis*,
    necessair*, manquant*, manque, veuillez, svp, s il vous plait, doit, attendre, expire, a confirmer, a valider,
    a emettre`,
  pt: `ligar, ligue, contatar, contate, requer, necessari*, precisa, em falta, por favor, deve, favor contactar,
    por confirmar, a confirmar, por emitir`,
  it: `chiamare, chiamate, contattare, contattate, richiest*, mancant*, manca, mancano, si prega, deve, attendere,
    richiam*, da confermare, da emettere, da riemettere, bisogno`,
});

/** A no before one of these tells that something is not in order. Only in values. */
export const notInOrder = new RegExp(
  `\\b(?:not?|not yet|never|without|nicht|noch nicht|no|sin|pas|non|nao|sem|sans|senza|ohne) (?:(?:yet|been|be|esta|est|e|ancora|encore|ainda|aun|a|la|le) )*(?:${
    dictionary({
      en: `confirm*, cfmd, accept*, valid*, available, possible, ticketed, tktd, issued, booked, processed, cleared,
        approv*, paid, guarantee*, operat*, synchron*, in sync, complete*, verified, authori*, ready, reached, received, rcvd,
        claimed, responding, ok, holding`,
      de: `bestätig*, gültig*, bearbeit*, ausgestellt*, bezahlt*, möglich*, verfügbar*, genehmig*, freigegeben*,
        gebucht*, erreichbar*, abgeschlossen*, akzeptier*,
        annehmen, angenommen*`,
      es: `procesar, emitir, confirmar, aceptar, emitid*, pagad*, aceptad*, disponible*, tocar, responder, autorizad*,
        permitid*`,
      fr: `traiter, accepter, confirmer, emettre, emis, emise, paye*, acceptee*, modifier, repond*, autoris*`,
      pt: `processar, aceitar, confirmar, emitir, aceito, aceita, pago, paga, aceite*, disponivel, mexer, autorizad*`,
      it: `elaborare, accettare, emettere, conferm*, emess*, pagat*, accettat*, disponibil*, toccare, autorizzat*`,
    }).source
  })`,
  "u",
);

/** As a whole value. */
export const stopStates = whole(
  `backed out, reversed, rolled back, disallowed, prohibited, forbidden, ineligible, withheld, incomplete, timed out,
  timeout, under review, in review, reopened, to be confirmed, tbc, tentative, provisional, queued, in queue, postponed,
  deferred, inhibited, negative, deactivated, nullified, superseded, obsolete, duplicate, on request, partially used, open jaw,
  unfulfilled, invalidated`,
);

/** As a whole value, but only where the name is that of a status, a code or a reason. */
export const codedStopStates = whole(
  `used, flown, lifted, checked in, boarded, exchanged, printed, inactive, closed, ended, not \\w+, unused, failed,
  failure, error, unknown, requested, waiting, wait, hold, stop, halt, bad, ko, down, dead, partial, open issue`,
);

function whole(list: string): RegExp {
  return new RegExp(
    `^(?:${list
      .split(",")
      .map((state) => state.trim().replace(/\s+/g, " "))
      .join("|")})$`,
    "u",
  );
}

/** Phrases with a word of the dictionary in another meaning, which are removed before anything is looked for. */
export const otherMeanings = new RegExp(
  dictionary({
    travel: `*involuntar*, hold luggage, hold bag*, cargo hold, block time*, block hours, block off*, block on*,
      non stop, bus stop*, tram stop*, next stop*, last stop*, stop over*, minor delay*, minor change*, lost and found,
      lost property, damage waiver*, *refundable*, *cancellable*, *cancelable*, *rebookable*, no refund*, non refund*`,
    insurance: `*travel assist*, *roadside assist*, *europ assist*, *baggage assist*, *luggage assist*,
      medical insurance*, assistance insurance*, medical cover*, medical expense*, medical cost*`,
    places: `asia minor, cfs alert, alert airport, lost nation`,
    words: `minor version*, last action*, user action*, previous action*, minor unit*, office block*,
      block chain*, stand alone, stand by power, problem free, closed caption*, closed loop*, blind copy,
      window blind*, bank note*, mobility partner*, e mobility, call centre*, call center*, call sign*, phone number*,
      contact person*, contact less*, contact detail*, ring road*`,
  }).source,
  "gu",
);
