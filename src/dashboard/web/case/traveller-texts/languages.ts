import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { spanish } from "./spanish.ts";
import type { TravellerTexts } from "./traveller-text.ts";

/** By the code of the language. A further one is a file beside these and a line here. */
export const languages: Readonly<Record<string, TravellerTexts>> = { en: english, de: german, fr: french, es: spanish };
