import { visibleText } from "./visible-text.ts";

/** The operator's name of an agency: of its recipients, and of the orders that are announced to them. */
export const agencyIdSchema = visibleText.trim().min(1).max(100);
