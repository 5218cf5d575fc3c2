/**
 * Who sees to it that the traveller is told of a change that was accepted or cancelled: nobody, or a person by a task. A
 * rule says it, else the source.
 */
export const informChoices = ["nobody", "task"] as const;
export type InformChoice = (typeof informChoices)[number];

/** Where neither says it. */
export const defaultInformChoice: InformChoice = "task";
