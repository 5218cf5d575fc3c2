/**
 * Whether a password is among the first that somebody would guess: made of common words, the user name, years, sequences
 * and repetitions, however they are joined, capitalised or spelled (`P@ssw0rd2026!`). No list of passwords could hold all
 * of these, and few lists go as far as twelve characters.
 */
export function isGuessablePassword(password: string, username: string): boolean {
  return countSurprises(fold(password), nameParts(username)) < surprisesMin;
}

/** Whether a password is a text of less than twelve characters again and again, such as `lisbon-lisbon`. */
export function isRepetition(password: string): boolean {
  const text = fold(password);
  const isRepeatedAfter = (length: number): boolean =>
    text.length >= 2 * length - 1 && text.slice(length) === text.slice(0, -length);
  return Array.from({ length: 11 }, (_, index) => index + 1).some(isRepeatedAfter);
}

/** Two common words and a number, such as `blue-monkey-42`, are one too few. */
const surprisesMin = 8;

const costOf = { word: 2, namePart: 1, run: 1, year: 1, digit: 0.5, character: 1 };

/** What people choose first, in the languages of the trade, without accents and in lower case. */
const commonWords = `
  password passwort passwd pass parola motdepasse contrasena senha wachtwoord salasana losenord heslo haslo secret geheim
  access account admin administrator root user guest login logon letmein changeme default temp temporary test testing demo
  sample example system server service support manager master owner office company business internet computer windows
  google facebook apple samsung iphone android microsoft oracle database security private public qwerty azerty
  welcome willkommen bienvenue bienvenido bemvindo hello hallo hola bonjour please thankyou goodbye
  iloveyou iloveu loveyou loveme love lover lovely forever teamo tequiero miamor jetaime amor angel baby babygirl honey
  princess prince queen king star heaven happy lucky smile friend friends family mother father
  football soccer futbol baseball basketball hockey tennis golf liverpool chelsea arsenal barcelona realmadrid benfica
  juventus yankees lakers cowboys
  monkey dragon tiger lion eagle wolf bear horse dog cat kitty puppy panda rabbit dolphin butterfly fish chicken
  shadow sunshine moonlight rainbow flower cookie banana orange chocolate cheese coffee pepper ginger summer winter spring
  autumn herbst sommer verano invierno ete hiver
  january february march april june july august september october november december januar februar oktober dezember
  enero febrero marzo abril agosto septiembre octubre noviembre diciembre janvier fevrier juillet aout septembre octobre
  monday tuesday wednesday thursday friday saturday sunday montag freitag lunes viernes
  superman batman spiderman starwars pokemon matrix minecraft gandalf hunter ranger warrior ninja pirate killer hacker
  wizard knight phoenix thunder trustno1 whatever nothing freedom power magic money diamond silver golden
  michael jennifer jessica ashley daniel joshua matthew anthony robert thomas jordan andrew william charlie george david
  maria carlos sophie nicole hannah thomas martin alexander christian
  black white blue green yellow purple
  london paris berlin madrid lisbon lisboa newyork america
  skedchange schedule change changes travel traveller traveler agency airline airport airlines flight flights booking
  gateway ticket holiday vacation lufthansa`
  .trim()
  .split(/\s+/);

/** What fingers and counting follow, in both directions. A part of it is no surprise. */
const walks = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "1234567890-=",
  "qwertyuiop[]",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "qwertzuiop",
  "yxcvbnm",
  "!@#$%^&*()",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/",
  "1qazxsw23edcvfr45tgbnhy67ujm",
  "qazwsxedcrfvtgbyhnujmikolp",
  "zaq1xsw2cde3vfr4bgt5nhy6mju7",
  "1q2w3e4r5t6y7u8i9o0p",
  "q1w2e3r4t5y6u7i8o9p0",
  "qweasdzxc",
  "147258369",
  "741852963",
  "789456123",
  "00112233445566778899",
  "0102030405060708090",
  "2468101214161820",
  "a1b2c3d4e5f6g7h8i9",
  "1a2b3c4d5e6f7g8h9i",
  "aabbccddeeffgg",
].flatMap((walk) => [walk, [...walk].toReversed().join("")]);

const walkLengthMin = 4;
const repeatLengthMin = 3;

/** Signs that stand for letters. */
const lookalikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "il",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "9": "g",
  "@": "a",
  $: "s",
  "!": "i",
  "+": "t",
  "(": "c",
};

/** As it is compared: without capitals and accents. */
function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

function nameParts(username: string): readonly string[] {
  const name = fold(username);
  return [name, ...name.split(/[._@+-]/)].filter((part) => part.length >= 3);
}

/** The fewest surprises in which the text can be written down: characters that are part of nothing known count one each. */
function countSurprises(text: string, names: readonly string[]): number {
  const best = [0];
  const offer = (end: number, cost: number): void => {
    best[end] = Math.min(best[end] ?? Number.POSITIVE_INFINITY, cost);
  };
  for (let at = 0; at < text.length; at += 1) {
    const soFar = best[at]!;
    offer(at + 1, soFar + (/\d/.test(text[at]!) ? costOf.digit : costOf.character));
    for (const word of commonWords) if (isWordAt(text, at, word)) offer(at + word.length, soFar + costOf.word);
    for (const part of names) if (isWordAt(text, at, part)) offer(at + part.length, soFar + costOf.namePart);
    if (/^(?:19|20)\d\d/.test(text.slice(at, at + 4))) offer(at + 4, soFar + costOf.year);
    for (let end = at + 1; end <= at + predictableLength(text, at); end += 1) offer(end, soFar + costOf.run);
  }
  return best[text.length]!;
}

function isWordAt(text: string, at: number, word: string): boolean {
  if (at + word.length > text.length) return false;
  for (let index = 0; index < word.length; index += 1) {
    const sign = text[at + index]!;
    if (sign !== word[index] && lookalikes[sign]?.includes(word[index]!) !== true) return false;
  }
  return true;
}

/** How long what begins here follows from a sequence, or from what stands before; 0 when it is too short to tell. */
function predictableLength(text: string, at: number): number {
  const longest = (from: number, isKnown: (part: string) => boolean): number => {
    let length = from;
    while (at + length <= text.length && isKnown(text.slice(at, at + length))) length += 1;
    return length === from ? 0 : length - 1;
  };
  return Math.max(
    longest(walkLengthMin, (part) => walks.some((walk) => walk.includes(part))),
    longest(repeatLengthMin, (part) => part === part[0]!.repeat(part.length)),
    longest(repeatLengthMin, (part) => text.slice(0, at).includes(part)),
  );
}
