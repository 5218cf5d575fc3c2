import { z } from "zod";

const controlCharacters = /\p{Cc}/u;

export const visibleText = z.string().refine((text) => !controlCharacters.test(text), {
  error: "must not contain control characters",
});
