import { isRecord } from "../kernel/record.ts";
import { jsonInBase64, jsonObjectIn } from "./not-json.ts";

/** Looked at in a body that is no order view. Real envelopes have a few dozen values around it. */
const valuesMax = 2_000;
const textsMax = 16;

type Wrapping = "none" | "text" | "base64";

interface Place {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly wrapping: Wrapping;
}

/**
 * Says where in a body an order view is, if it is not where it is looked for: in an envelope, or as a text. Nearer
 * places come first. Null if none is found.
 */
export function describeMisplacedView(body: unknown, isOrderView: (json: unknown) => boolean): string | null {
  if (typeof body === "string" && wrappedIn(body) !== null) {
    return "The body is a JSON text inside a JSON text. Send the object itself.";
  }
  const places: Place[] = [{ value: body, path: [], wrapping: "none" }];
  let texts = 0;
  for (let next = 0; next < places.length && next < valuesMax; next += 1) {
    const place = places[next]!;
    if (place.path.length > 0 && isRecord(place.value) && isOrderView(place.value)) return sentenceOf(place);
    if (typeof place.value === "string") {
      const wrapped = texts < textsMax ? wrappedIn(place.value) : null;
      if (wrapped === null) continue;
      texts += 1;
      places.push({ ...place, ...wrapped });
    } else if (typeof place.value === "object" && place.value !== null) {
      for (const [name, value] of Object.entries(place.value).slice(0, valuesMax)) {
        places.push({ value, path: [...place.path, name], wrapping: place.wrapping });
      }
    }
  }
  return null;
}

function wrappedIn(text: string): Pick<Place, "value" | "wrapping"> | null {
  const json = jsonObjectIn(text) ?? textIn(text);
  if (json !== null) return { value: json, wrapping: "text" };
  const decoded = jsonInBase64(text);
  return decoded === null ? null : { value: decoded, wrapping: "base64" };
}

/** A text that was encoded twice more than it should be. */
function textIn(text: string): object | null {
  if (!text.startsWith('"')) return null;
  try {
    return jsonObjectIn(String(JSON.parse(text)));
  } catch {
    return null;
  }
}

const found: Readonly<Record<Wrapping, string>> = {
  none: "An order view was found",
  text: "An order view was found as a JSON text",
  base64: "An order view was found in base64",
};

function sentenceOf({ path, wrapping }: Place): string {
  const names = path.map((name) => (/^[\w.:@$-]{1,64}$/.test(name) ? name : "…"));
  return `${found[wrapping]} under ${names.join(".")}. Send that object itself.`;
}
